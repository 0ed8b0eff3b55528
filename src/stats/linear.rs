//! Small dense matrices.

/// Inverse of a symmetric positive definite matrix; `None` if it is not.
pub(crate) fn inverse(matrix: &[Vec<f64>]) -> Option<Vec<Vec<f64>>> {
    let size = matrix.len();
    let mut rows: Vec<Vec<f64>> = matrix.to_vec();
    for (index, row) in rows.iter_mut().enumerate() {
        row.extend((0..size).map(|column| f64::from(u8::from(column == index))));
    }
    for pivot in 0..size {
        let head = rows[pivot][pivot];
        if !(head.is_finite() && head > 0.0) {
            return None;
        }
        for entry in &mut rows[pivot] {
            *entry /= head;
        }
        let pivot_row = rows[pivot].clone();
        for (index, row) in rows.iter_mut().enumerate() {
            if index != pivot {
                let factor = row[pivot];
                for (entry, above) in row.iter_mut().zip(&pivot_row) {
                    *entry -= factor * above;
                }
            }
        }
    }
    Some(rows.into_iter().map(|row| row[size..].to_vec()).collect())
}

#[cfg(test)]
mod tests {
    use super::inverse;

    #[test]
    fn the_inverse_of_two_by_two_is_by_its_determinant() {
        let found = inverse(&[vec![4.0, 1.0], vec![1.0, 3.0]]).expect("definite");
        let wanted = [3.0 / 11.0, -1.0 / 11.0, -1.0 / 11.0, 4.0 / 11.0];
        for (cell, wanted) in found.iter().flatten().zip(wanted) {
            assert!((cell - wanted).abs() < 1e-12, "{found:?}");
        }
        assert_eq!(inverse(&[vec![1.0, 2.0], vec![2.0, 1.0]]), None);
        assert_eq!(inverse(&[vec![f64::NAN]]), None);
    }
}
