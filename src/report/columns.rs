//! Text in columns.

/// Rows as lines, every column as wide as its widest cell: the first `left` columns begin at the
/// left, the others end at the right. Each line is indented by two.
pub(crate) fn aligned(rows: &[Vec<String>], left: usize) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut text = String::new();
    for row in rows {
        let mut line = String::new();
        for (column, (cell, width)) in row.iter().zip(&widths).enumerate() {
            line += "  ";
            line += &if column < left {
                format!("{cell:<width$}")
            } else {
                format!("{cell:>width$}")
            };
        }
        text += line.trim_end();
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::aligned;

    #[test]
    fn columns_are_as_wide_as_their_widest_cell() {
        let rows = [["name", "Elo"], ["é", "-12"]].map(|row| row.map(str::to_owned).to_vec());
        assert_eq!(aligned(&rows, 1), "  name  Elo\n  é     -12\n");
    }
}
