//! Cells of a table row as they are written: the reader drops those beyond the header without a word.

/// The cells of a row's first line. A pipe ends a cell, in code too, unless a backslash stands right before it.
pub(super) fn cells(row: &str) -> usize {
    let mut line = row.lines().next().unwrap_or_default();
    let mut cells = 0;
    loop {
        line = line.strip_prefix('|').unwrap_or(line);
        if line.trim_start_matches([' ', '\t', '\x0b', '\x0c']).is_empty() {
            return cells;
        }
        cells += 1;
        let end = line.match_indices('|').map(|(at, _)| at).find(|at| !line[..*at].ends_with('\\'));
        line = end.map_or("", |end| &line[end..]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pipes_end_cells_unless_escaped() {
        assert_eq!(cells("| a | b |\n| c |"), 2);
        assert_eq!(cells("a | b"), 2);
        assert_eq!(cells("a | b |  "), 2);
        assert_eq!(cells("| `--a | b` | c |"), 3);
        assert_eq!(cells(r"| `--a \| b` | c |"), 2);
        assert_eq!(cells("| a || c |"), 3);
        assert_eq!(cells("|"), 0);
        assert_eq!(cells("no pipe"), 1);
    }
}
