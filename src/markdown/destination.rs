//! Where a link or an image may lead: the web by name, or the site itself; nothing that runs.

/// What a destination that may stand leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LinkKind {
    /// A full http, https or mailto address.
    External,
    /// A path or a fragment, to be resolved against the file it stands in.
    Local,
    /// A figure of the site, `figure:…`.
    Figure,
}

/// A destination that may not stand.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Forbidden {
    pub(super) expected: &'static str,
    pub(super) found: String,
}

impl LinkKind {
    pub(super) fn of(destination: &str) -> Result<Self, Forbidden> {
        let expected = "http, https, mailto or a path of the site";
        // Browsers drop tabs and line ends from an address and spaces before it, and read `\` as `/`.
        let read: String = destination.chars().filter(|letter| !letter.is_control() && *letter != ' ').collect();
        if read.replace('\\', "/").starts_with("//") {
            return Err(Forbidden { expected, found: "a host without a scheme".to_owned() });
        }
        match scheme(&read).as_deref() {
            None => Ok(LinkKind::Local),
            Some("http" | "https") if !has_host(&read) => {
                Err(Forbidden { expected: "a web address with a host", found: format!("`{}`", read.escape_debug()) })
            }
            Some("http" | "https" | "mailto") => Ok(LinkKind::External),
            Some("figure") => Ok(LinkKind::Figure),
            Some(other) => Err(Forbidden { expected, found: format!("`{other}:`") }),
        }
    }

    /// A page makes no request to another host, so its images are of the site.
    pub(super) fn of_image(destination: &str) -> Result<Self, Forbidden> {
        let expected = "a path of the site";
        match Self::of(destination) {
            Ok(LinkKind::Local) => Ok(LinkKind::Local),
            Ok(_) => Err(Forbidden { expected, found: "another place".to_owned() }),
            Err(Forbidden { found, .. }) => Err(Forbidden { expected, found }),
        }
    }
}

/// Whether a web address names a host, with or without a port, and nobody's name before it.
fn has_host(address: &str) -> bool {
    let Some((_, rest)) = address.split_once("://") else { return false };
    let authority = rest.split(['/', '?', '#', '\\']).next().unwrap_or_default();
    let (host, port) = authority.split_once(':').map_or((authority, "0"), |(host, port)| (host, port));
    let label = |label: &str| {
        !label.is_empty() && label.chars().all(|letter| letter.is_alphanumeric() || matches!(letter, '-' | '_'))
    };
    host.split('.').all(label) && port.parse::<u16>().is_ok()
}

/// The scheme of an address in lower case, RFC 3986 section 3.1.
fn scheme(address: &str) -> Option<String> {
    let (scheme, _) = address.split_once(':')?;
    let fits = scheme.starts_with(|first: char| first.is_ascii_alphabetic())
        && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte));
    fits.then(|| scheme.to_ascii_lowercase())
}

/// Text without its percent-encoding; as it stands where that is none.
pub fn percent_decode(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let decoded = match after {
            [high, low, ..] if *first == b'%' => hex_digit(*high).zip(hex_digit(*low)),
            _ => None,
        };
        bytes.push(decoded.map_or(*first, |(high, low)| high * 16 + low));
        rest = if decoded.is_some() { &after[2..] } else { after };
    }
    String::from_utf8(bytes).unwrap_or_else(|_| text.to_owned())
}

fn hex_digit(byte: u8) -> Option<u8> {
    char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_the_web_and_paths_may_stand() {
        for external in ["https://x.example/a?b#c", "HTTP://x.example", "mailto:a@x.example"] {
            assert_eq!(LinkKind::of(external), Ok(LinkKind::External), "{external}");
        }
        for local in ["", "a.md", "../b/y.md#capacity", "#µ", "a/b:c", "?a:b", "#a:b", "1a:b", "/a"] {
            assert_eq!(LinkKind::of(local), Ok(LinkKind::Local), "{local}");
        }
        assert_eq!(LinkKind::of("figure:kv_ratio"), Ok(LinkKind::Figure));
    }

    #[test]
    fn what_runs_or_hides_its_scheme_is_forbidden() {
        let found = |destination| LinkKind::of(destination).expect_err(destination).found;
        assert_eq!(found("javascript:alert(1)"), "`javascript:`");
        assert_eq!(found("JaVaScRiPt:alert(1)"), "`javascript:`");
        assert_eq!(found(" java\tscript\n:alert(1)"), "`javascript:`");
        assert_eq!(found("\u{1}javascript:alert(1)"), "`javascript:`");
        assert_eq!(found("data:text/html,hi"), "`data:`");
        assert_eq!(found("vbscript:x"), "`vbscript:`");
        assert_eq!(found("file:///etc/passwd"), "`file:`");
        assert_eq!(found("ftp://x"), "`ftp:`");
        for host in ["//x.example", "/\\x.example", "\\\\x.example", " //x", "/\t/x"] {
            assert_eq!(found(host), "a host without a scheme");
        }
    }

    #[test]
    fn images_are_of_the_site() {
        assert_eq!(LinkKind::of_image("a.png"), Ok(LinkKind::Local));
        for image in ["https://x.example/a.png", "data:image/png;base64,AA", "//x/a.png", "figure:x"] {
            assert!(LinkKind::of_image(image).is_err(), "{image}");
        }
    }

    #[test]
    fn percent_encoding_is_undone_where_it_is_one() {
        assert_eq!(percent_decode("%CE%BC%2f"), "μ/");
        assert_eq!(percent_decode("50%"), "50%");
        assert_eq!(percent_decode("%zz%4"), "%zz%4");
        assert_eq!(percent_decode("%+1"), "%+1");
        assert_eq!(percent_decode("%ff"), "%ff");
        assert_eq!(percent_decode("%µ"), "%µ");
    }
}
