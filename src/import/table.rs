//! Tables in text: of Markdown, as tools print them into logs and reports, and with commas.

/// A table; cells have no blanks around them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    /// Names of the columns, in lower case.
    pub columns: Vec<String>,
    /// Each row with its line, counted from 1.
    pub rows: Vec<(usize, Vec<String>)>,
    /// Text between the table before it, or the beginning, and this one.
    pub above: String,
    /// Text between it and the next one, or the end.
    pub below: String,
}

impl Table {
    pub fn has(&self, column: &str) -> bool {
        self.columns.iter().any(|name| name == column)
    }

    /// The cells of a row by column.
    pub fn cells<'a>(&'a self, row: &'a [String]) -> impl Iterator<Item = (&'a str, &'a str)> {
        self.columns.iter().map(String::as_str).zip(row.iter().map(String::as_str))
    }

    /// What is wrong with the first row that has not as many cells as there are columns. One at the end of a text, below
    /// which no line ends, was cut off.
    pub fn uneven(&self, text: &str) -> Option<String> {
        let (line, row) = self.rows.iter().find(|(_, row)| row.len() != self.columns.len())?;
        let is_last = self.rows.last().is_some_and(|(last, _)| last == line);
        let is_cut = is_last && row.len() < self.columns.len() && !text.ends_with('\n');
        let cut = if is_cut { ": the end of the file is missing" } else { "" };
        Some(format!("line {line} has {} values under {} names{cut}", row.len(), self.columns.len()))
    }
}

/// Every table of a Markdown text.
pub fn markdown(text: &str) -> Vec<Table> {
    let cells = |line: &str| -> Option<Vec<String>> {
        let inner = line.trim().strip_prefix('|')?.strip_suffix('|')?;
        Some(inner.split('|').map(|cell| cell.trim().to_owned()).collect())
    };
    let is_rule = |row: &[String]| {
        let rule = |cell: &String| !cell.is_empty() && cell.chars().all(|one| matches!(one, '-' | ':'));
        row.iter().all(rule)
    };
    let mut tables: Vec<Table> = Vec::new();
    let mut between = String::new();
    let mut is_open = false;
    for (position, line) in text.lines().enumerate() {
        match (cells(line), tables.last_mut().filter(|_| is_open)) {
            (Some(row), Some(_)) if is_rule(&row) => {}
            (Some(row), Some(table)) => table.rows.push((position + 1, row)),
            (Some(row), None) => {
                if let Some(before) = tables.last_mut() {
                    before.below.clone_from(&between);
                }
                let columns = row.iter().map(|name| name.to_lowercase()).collect();
                let above = std::mem::take(&mut between);
                tables.push(Table { columns, rows: Vec::new(), above, below: String::new() });
                is_open = true;
            }
            (None, _) => {
                is_open = false;
                between.push_str(line);
                between.push('\n');
            }
        }
    }
    if let Some(last) = tables.last_mut() {
        last.below = between;
    }
    tables
}

/// The table of a text with commas. Cells may be quoted; lines without any cell are left out.
pub fn commas(text: &str) -> Option<Table> {
    let mut records = records(text.trim_start_matches('\u{feff}')).into_iter();
    let columns = records.next()?.1.iter().map(|name| name.to_lowercase()).collect();
    Some(Table { columns, rows: records.collect(), above: String::new(), below: String::new() })
}

fn records(text: &str) -> Vec<(usize, Vec<String>)> {
    let mut records = Vec::new();
    let (mut line, mut start) = (1, 1);
    let mut row: Vec<String> = Vec::new();
    let mut cell = String::new();
    let mut quoted = false;
    let mut rest = text.chars().peekable();
    while let Some(one) = rest.next() {
        match one {
            '"' if quoted && rest.peek() == Some(&'"') => {
                rest.next();
                cell.push('"');
            }
            '"' if quoted || cell.trim().is_empty() => quoted = !quoted,
            ',' if !quoted => row.push(std::mem::take(&mut cell).trim().to_owned()),
            '\n' if !quoted => {
                row.push(std::mem::take(&mut cell).trim().to_owned());
                records.push((start, std::mem::take(&mut row)));
                start = line + 1;
            }
            _ => cell.push(one),
        }
        line += usize::from(one == '\n');
    }
    row.push(cell.trim().to_owned());
    records.push((start, row));
    records.retain(|(_, row)| row.iter().any(|cell| !cell.is_empty()));
    records
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(table: &Table) -> Vec<(usize, Vec<&str>)> {
        table.rows.iter().map(|(line, row)| (*line, row.iter().map(String::as_str).collect())).collect()
    }

    #[test]
    fn tables_of_markdown_are_found_with_what_stands_around_them() {
        let text = "# one\n| Model | t/s |\n|:--|--:|\n| a | 1 ± 2 |\n\nbetween\n| x |\n| - |\n| 1 |\n| 2 |\nend\n";
        let tables = markdown(text);
        assert_eq!(tables.len(), 2);
        assert_eq!(
            (&tables[0].columns, rows(&tables[0])),
            (&vec!["model".to_owned(), "t/s".to_owned()], vec![(4, vec!["a", "1 ± 2"])])
        );
        assert_eq!((tables[0].above.as_str(), tables[0].below.as_str()), ("# one\n", "\nbetween\n"));
        assert_eq!((rows(&tables[1]).len(), tables[1].below.as_str()), (2, "end\n"));
        assert_eq!(markdown("no | table\n"), []);
    }

    #[test]
    fn cells_with_commas_may_be_quoted_and_short_rows_are_named() {
        let table = commas("\u{feff}a, B [W] ,c\r\n\"1,5\",\"say \"\"so\"\"\",\r\n\r\n2,3\n").expect("a table");
        assert_eq!(table.columns, ["a", "b [w]", "c"]);
        assert_eq!(rows(&table), [(2, vec!["1,5", "say \"so\"", ""]), (4, vec!["2", "3"])]);
        let uneven = |text: &str| commas(text).and_then(|table| table.uneven(text));
        assert_eq!(uneven("a,b\n1\n").as_deref(), Some("line 2 has 1 values under 2 names"));
        assert_eq!(
            uneven("a,b\n1,2\n1").as_deref(),
            Some("line 3 has 1 values under 2 names: the end of the file is missing")
        );
        assert_eq!(uneven("a,b\n1,2"), None);
        assert_eq!((commas(""), commas("\n\n")), (None, None));
        assert_eq!(commas("a\n\"open\nx").map(|table| table.rows.len()), Some(1));
    }
}
