//! Command lines, taken apart into flags.

/// A command line's flags, each with the words up to the next one.
pub fn of(line: &str) -> Vec<String> {
    let mut flags: Vec<String> = Vec::new();
    for word in line.split_whitespace() {
        // A negative number is a value.
        let is_flag =
            word.strip_prefix('-').is_some_and(|rest| !rest.starts_with(|first: char| first.is_ascii_digit()));
        match flags.last_mut().filter(|_| !is_flag) {
            Some(flag) => *flag = format!("{flag} {word}"),
            None => flags.push(word.to_owned()),
        }
    }
    flags
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_line_is_a_list_of_flags_with_their_values() {
        for (line, expected) in [
            (
                "--kv-cache-dtype fp8 --max-num-batched-tokens 16384",
                &["--kv-cache-dtype fp8", "--max-num-batched-tokens 16384"][..],
            ),
            ("--no-enable-prefix-caching", &["--no-enable-prefix-caching"]),
            ("--seed -1 -O3 a b", &["--seed -1", "-O3 a b"]),
            ("serve --x=1", &["serve", "--x=1"]),
            ("  ", &[]),
        ] {
            assert_eq!(of(line), expected, "{line}");
        }
    }
}
