//! An expression as people write it, with the names of its inputs or with their values.

use super::Formula;

/// A part of an expression: text, or the place of an input by its position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Piece {
    Text(String),
    Input(usize),
}

impl Formula {
    /// The expression with operators as people write them.
    pub fn written(&self) -> String {
        self.fill(|name| name.to_owned())
    }

    /// The written expression with the inputs' values, in their order, in place of their names.
    pub fn filled(&self, values: &[String]) -> String {
        let pieces = self.pieces(values.len());
        let texts = pieces.into_iter().map(|piece| match piece {
            Piece::Text(text) => text,
            Piece::Input(position) => values[position].clone(),
        });
        texts.collect()
    }

    /// The written expression with places for as many inputs as there are.
    pub fn pieces(&self, inputs: usize) -> Vec<Piece> {
        let places: Vec<String> = (0..inputs).map(|position| place(position).to_string()).collect();
        let index = |name: &str| self.inputs.iter().position(|input| input.name == name);
        let place_of = |name: &str| index(name).and_then(|at| places.get(at).cloned());
        let expression = if self.is_of_list() {
            self.listed(&places)
        } else {
            self.fill(|name| place_of(name).unwrap_or_else(|| name.to_owned()))
        };
        let mut pieces = Vec::new();
        let mut rest = expression.as_str();
        while let Some((at, position)) = rest.char_indices().find_map(|(at, part)| Some((at, position(part)?))) {
            pieces.extend((at > 0).then(|| Piece::Text(rest[..at].to_owned())));
            pieces.push(Piece::Input(position));
            rest = &rest[at + place(position).len_utf8()..];
        }
        pieces.extend((!rest.is_empty()).then(|| Piece::Text(rest.to_owned())));
        pieces
    }

    /// A list's expression with each of its values, and no more parentheses than those need.
    fn listed(&self, values: &[String]) -> String {
        let (added, listed) = (values.join(" + "), values.join(", "));
        let filled = self.fill(|_| listed.clone());
        let sum = format!("sum({listed})");
        // Alone a sum needs no parentheses, and one value is no sum.
        let bare = filled == sum || values.len() == 1;
        filled
            .replace(&sum, &if bare { added.clone() } else { format!("({added})") })
            .replace(&format!("mean({listed})"), &format!("({added}) ÷ {}", values.len()))
    }

    /// The written expression with each input's name replaced.
    fn fill(&self, mut value: impl FnMut(&str) -> String) -> String {
        let mut out = String::new();
        let mut rest = self.expression;
        while let Some(first) = rest.chars().next() {
            let word = |part: &char| part.is_ascii_alphanumeric() || *part == '_' || *part == '.';
            if first.is_ascii_alphanumeric() {
                let text: String = rest.chars().take_while(word).collect();
                rest = &rest[text.len()..];
                if self.inputs.iter().any(|input| input.name == text) {
                    out.push_str(&value(&text));
                } else {
                    out.push_str(constant(&text));
                }
                continue;
            }
            match first {
                '*' => out.push('×'),
                '/' => out.push('÷'),
                '-' => out.push('−'),
                // The compiler breaks the lines of a long expression.
                space if space.is_whitespace() => {
                    out.push(' ');
                    rest = rest.trim_start();
                    continue;
                }
                other => out.push(other),
            }
            rest = &rest[first.len_utf8()..];
        }
        out
    }
}

/// Characters for private use stand in the places of inputs, since no expression has one.
const FIRST_PLACE: u32 = 0xf_0000;

fn place(position: usize) -> char {
    u32::try_from(position).ok().and_then(|position| char::from_u32(FIRST_PLACE + position)).unwrap_or(char::MAX)
}

fn position(place: char) -> Option<usize> {
    u32::from(place).checked_sub(FIRST_PLACE).map(|position| position as usize)
}

/// Constants as people write them.
fn constant(text: &str) -> &str {
    match text {
        "1e3" => "1,000",
        "1e6" => "1,000,000",
        "3.6e6" => "3,600,000",
        "1e9" => "10⁹",
        "1e12" => "10¹²",
        "GIB" => "2³⁰",
        "MIB" => "2²⁰",
        "GB" => "(10⁹ to 2³⁰)",
        _ => text.strip_suffix(".0").unwrap_or(text),
    }
}

#[cfg(test)]
mod tests {
    use super::super::{card, cost, memory, requests, uncertainty};
    use super::*;

    #[test]
    fn the_written_expression_is_the_code() {
        assert_eq!(cost::USD_PER_MTOK_OUTPUT.written(), "usd_per_hour × 1,000,000 ÷ (3600 × output_tok_s)");
        assert_eq!(memory::KV_GIB_AT_CONTEXT.written(), "sum(group_bytes_at_context) ÷ 2³⁰");
    }

    #[test]
    fn constants_are_written_as_people_write_them() {
        for (code, written) in [
            ("1e3", "1,000"),
            ("1e6", "1,000,000"),
            ("3.6e6", "3,600,000"),
            ("1e9", "10⁹"),
            ("1e12", "10¹²"),
            ("GIB", "2³⁰"),
            ("MIB", "2²⁰"),
            ("GB", "(10⁹ to 2³⁰)"),
            ("100.0", "100"),
            ("0.5", "0.5"),
        ] {
            assert_eq!(constant(code), written);
        }
    }

    #[test]
    fn values_stand_where_the_names_did() {
        let filled = |formula: &Formula, values: &[&str]| {
            formula.filled(&values.iter().map(|value| (*value).to_owned()).collect::<Vec<_>>())
        };
        for (found, expected) in [
            (filled(&memory::TOKENS_REUSED, &["150,000", "93.5"]), "150,000 × 93.5 ÷ 100"),
            (filled(&memory::KV_BYTES_PER_TOKEN, &["70,272", "8,052"]), "70,272 + 8,052"),
            (filled(&memory::KV_BYTES_PER_TOKEN, &["70,272"]), "70,272"),
            (filled(&memory::KV_GIB_AT_CONTEXT, &["1", "2"]), "(1 + 2) ÷ 2³⁰"),
            (filled(&memory::KV_GIB_AT_CONTEXT, &["1"]), "1 ÷ 2³⁰"),
            (filled(&requests::MEAN_OUTPUT_TOK_S, &["1", "2"]), "(1 + 2) ÷ 2"),
            (filled(&uncertainty::UNCERTAINTY_PCT, &["1.5", "7.5"]), "largest(1.5, 7.5)"),
            (filled(&card::CARD_MEMORY_SOLD_BYTES, &["32"]), "32 × (10⁹ to 2³⁰)"),
        ] {
            assert_eq!(found, expected);
        }
    }

    #[test]
    fn pieces_say_which_input_stands_where() {
        let text = |text: &str| Piece::Text(text.to_owned());
        assert_eq!(memory::TOKENS_REUSED.pieces(2), [Piece::Input(0), text(" × "), Piece::Input(1), text(" ÷ 100")]);
        let sum = memory::KV_BYTES_PER_TOKEN.pieces(3);
        assert_eq!(sum, [Piece::Input(0), text(" + "), Piece::Input(1), text(" + "), Piece::Input(2)]);
    }
}
