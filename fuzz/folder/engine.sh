#!/bin/sh
# Stands for an engine in configs; nothing starts it.
exit 0
