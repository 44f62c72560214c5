//! Keys and passwords, which no file of content may hold.

use crate::diagnostic::{Diagnostic, Location, Report, rules};
use crate::schema::Document;

/// How tokens of a kind begin, and how many letters and digits follow at least.
const TOKENS: [(&str, usize, &str); 24] = [
    ("sk-", 20, "an API key"),
    ("sk_live_", 20, "an API key"),
    ("gsk_", 30, "a Groq API key"),
    ("r8_", 30, "a Replicate token"),
    ("rpa_", 30, "a RunPod API key"),
    ("xai-", 30, "an xAI API key"),
    ("pplx-", 30, "a Perplexity API key"),
    ("lsv2_pt_", 30, "a LangSmith key"),
    ("hf_", 30, "a Hugging Face token"),
    ("ghp_", 30, "a GitHub token"),
    ("gho_", 30, "a GitHub token"),
    ("ghs_", 30, "a GitHub token"),
    ("github_pat_", 20, "a GitHub token"),
    ("glpat-", 20, "a GitLab token"),
    ("npm_", 30, "an npm token"),
    ("dop_v1_", 30, "a DigitalOcean token"),
    ("AIza", 35, "a Google API key"),
    ("ya29.", 20, "a Google token"),
    ("AKIA", 16, "an AWS key"),
    ("ASIA", 16, "an AWS key"),
    ("xoxb-", 20, "a Slack token"),
    ("nvapi-", 30, "an NVIDIA API key"),
    ("eyJ", 30, "a JSON web token"),
    ("Bearer ", 20, "an authorization header"),
];

/// Addresses that whoever knows them may write to.
const WEBHOOKS: [&str; 3] = ["hooks.slack.com/services/", "discord.com/api/webhooks/", ".webhook.office.com/webhook"];

/// What signs an address, and how long it is at least.
const SIGNATURES: [&str; 6] =
    ["sig", "signature", "x-amz-signature", "x-amz-security-token", "x-goog-signature", "x-oss-signature"];
const SIGNATURE: usize = 16;

/// Short names of a password, which are words of prose too: only what an equals sign follows, or a closing quote.
const SHORT_NAMES: [&str; 2] = ["pass", "pwd"];

/// Names that a secret follows, and how long it is at least: people's passwords are short.
const NAMES: [(&str, usize); 12] = [
    ("api_key", 12),
    ("api-key", 12),
    ("apikey", 12),
    ("access_key", 12),
    ("access-key", 12),
    ("secret_key", 12),
    ("secret-key", 12),
    ("secret", 12),
    ("token", 12),
    ("passphrase", 6),
    ("passwd", 6),
    ("password", 6),
];

/// Keys and passwords in any file of content. The message names the line and never the secret.
pub fn secrets(document: &Document, report: &mut Report) {
    for (number, line) in document.text.lines().enumerate() {
        let Some(kind) = secret(line) else { continue };
        let path = format!("{}:{}", document.text.path, number + 1);
        report.push(
            Diagnostic::new(
                &rules::FILE_SECRET,
                Location::File(document.text.path.clone()),
                format!("{path}: this line holds what looks like {kind}"),
            )
            .help("take it out, and make it void where it was issued: whoever had this file has it"),
        );
    }
}

/// What kind of secret a line seems to hold.
pub fn secret(line: &str) -> Option<&'static str> {
    if let Some(kind) = token(line) {
        return Some(kind);
    }
    if line.contains("-----BEGIN") && line.contains("PRIVATE KEY-----") {
        return Some("a private key");
    }
    let is_webhook = |prefix: &str| {
        let secret = line.split_once(prefix).map_or("", |(_, secret)| secret);
        secret.chars().take_while(|letter| letter.is_ascii_alphanumeric() || "/_-@".contains(*letter)).count()
            >= SIGNATURE
    };
    if WEBHOOKS.into_iter().any(is_webhook) {
        return Some("a webhook");
    }
    if password_in_url(line) {
        return Some("a password in an address");
    }
    if password_of_user(line) {
        return Some("a user's password");
    }
    if assigned(line) {
        return Some("a password");
    }
    if authorized(line) {
        return Some("an authorization header");
    }
    if signed(line) {
        return Some("a signed address");
    }
    named(line).then_some("a password or key")
}

fn token(line: &str) -> Option<&'static str> {
    TOKENS.iter().find_map(|(prefix, least, kind)| {
        // Where the prefix ends in `_`, none of the others follow, so that names of functions are told apart.
        let others = if prefix.ends_with('_') { "" } else { "-_." };
        let body = |letter: &char| letter.is_ascii_alphanumeric() || others.contains(*letter);
        line.match_indices(prefix).find_map(|(at, _)| {
            let apart = line[..at].chars().next_back().is_none_or(|before| !before.is_ascii_alphanumeric());
            let secret: String = line[at + prefix.len()..].chars().take_while(body).collect();
            // Words of prose and masks have no digit.
            let drawn = secret.contains(|letter: char| letter.is_ascii_digit()) || is_drawn(&secret);
            (apart && secret.len() >= *least && drawn).then_some(*kind)
        })
    })
}

/// Whether letters are drawn at random: small and capital ones are mixed as in no word, not even in a `CamelCase` one.
fn is_drawn(text: &str) -> bool {
    let count = |kind: fn(&char) -> bool| text.chars().filter(kind).count();
    let least = text.len().div_ceil(3);
    text.len() >= 16 && count(char::is_ascii_uppercase) >= least && count(char::is_ascii_lowercase) >= least
}

/// `Authorization: Basic dXNlcjpw…`, which is a name and a password.
fn authorized(line: &str) -> bool {
    const NAME: &str = "authorization";
    line.to_ascii_lowercase().match_indices(NAME).any(|(at, _)| {
        let rest = line[at + NAME.len()..].trim_start_matches(['"', '\'', ':', '=', ',', ' ', '\\']);
        let Some((scheme, value)) = rest.split_once(' ') else { return false };
        let body = |letter: &char| letter.is_ascii_alphanumeric() || "+/=".contains(*letter);
        let value: String = value.trim_start().chars().take_while(body).collect();
        let has = |kind: fn(char) -> bool| value.contains(kind);
        let encoded = has(|letter| letter.is_ascii_uppercase()) && has(|letter| letter.is_ascii_lowercase());
        scheme.eq_ignore_ascii_case("basic") && value.len() >= 8 && encoded && !is_masked(&value)
    })
}

/// An address with a signature in it opens what it leads to for everybody.
fn signed(line: &str) -> bool {
    line.match_indices(['?', '&']).any(|(at, _)| {
        let Some((name, value)) = line[at + 1..].split_once('=') else { return false };
        let body = |letter: &char| letter.is_ascii_alphanumeric() || "%+/_-=.~".contains(*letter);
        let value: String = value.chars().take_while(body).collect();
        let name = name.trim_start_matches("amp;").to_ascii_lowercase();
        SIGNATURES.contains(&name.as_str()) && is_secret(&value, SIGNATURE)
    })
}

/// A value behind a name for one: `password=…`, `--token …`, `"secret": "…"`.
fn named(line: &str) -> bool {
    let lower = line.to_ascii_lowercase();
    let short = SHORT_NAMES.iter().any(|name| {
        lower.match_indices(name).any(|(at, _)| {
            let apart = lower[..at].chars().next_back().is_none_or(|before| !before.is_ascii_alphanumeric());
            let rest = &line[at + name.len()..];
            let value = rest.strip_prefix('=').or_else(|| {
                let quoted = rest.strip_prefix(['"', '\''])?.trim_start();
                Some(quoted.strip_prefix(':')?.trim_start())
            });
            apart && value.is_some_and(|value| is_secret(value.trim_start_matches(['"', '\'']), 6))
        })
    });
    short
        || NAMES.iter().any(|(name, least)| {
            lower.match_indices(name).any(|(at, _)| {
                let before = lower[..at].trim_end_matches(['_', '-', ' ']);
                let rest = line[at + name.len()..].trim_start_matches(['"', '\'']);
                let value = rest.trim_start().strip_prefix([':', '=']).or_else(|| rest.strip_prefix(' '));
                let value = value.unwrap_or_default().trim_start().trim_start_matches(['"', '\'']);
                // So much per token is a rate.
                !before.ends_with("per") && is_secret(value, *least)
            })
        })
}

/// Whether a value begins a text that is neither a word, nor a number, nor the name or the place of a secret.
fn is_secret(text: &str, least: usize) -> bool {
    let body = |letter: &char| letter.is_ascii_alphanumeric() || "-_.+/=!@#%^&*?~".contains(*letter);
    let value: String = text.chars().take_while(body).collect();
    let has = |kind: fn(&char) -> bool| value.chars().any(|letter| kind(&letter));
    // What the documentation of servers has in the place of a key.
    let is_example = ["token-abc123", "sk-no-key-required", "your-api-key", "your_api_key"].contains(&&*value);
    value.len() >= least
        && !is_example
        && !value.starts_with(['/', '.', '~', '*', '%'])
        && ((has(char::is_ascii_digit) && has(char::is_ascii_alphabetic)) || is_drawn(&value))
}

/// `-u user:password`, unless they are numbers of a user and a group.
fn password_of_user(line: &str) -> bool {
    let trim = |word: &'_ str| word.trim_matches(['"', '\'', '`', ',', '\\']).to_owned();
    let words: Vec<_> = line.split_whitespace().map(trim).collect();
    let options = ["-u", "--user", "--proxy-user"];
    let joined = words.iter().filter_map(|word| word.split_once('=')).map(|(option, value)| (option, trim(value)));
    let apart = words.windows(2).map(|pair| (pair[0].as_str(), pair[1].clone()));
    let calls = words.iter().any(|word| ["curl", "wget"].contains(&word.as_str()));
    joined.chain(apart).filter(|(option, _)| options.contains(option)).any(|(_, value)| {
        let Some((_, password)) = value.split_once(':') else { return false };
        let has = |kind: fn(char) -> bool| password.contains(kind);
        let plain = has(|letter| letter.is_ascii_alphabetic()) && (calls || has(|letter| letter.is_ascii_digit()));
        plain && password.len() >= 4 && !is_masked(password)
    })
}

/// `export PASSWORD=…` and `sshpass -p …`, where what follows is a password of whatever letters.
fn assigned(line: &str) -> bool {
    const VARIABLES: [&str; 4] = ["PASSWORD", "PASSWD", "PASSPHRASE", "SSHPASS"];
    /// How long it is at least.
    const LEAST: usize = 4;
    let is_password = |value: &str| {
        let ends = |letter: char| letter.is_whitespace() || matches!(letter, '"' | '\'' | '`' | ';' | '\\' | ',');
        let value = value.trim_start_matches(['"', '\'', '\\']);
        let value = &value[..value.find(ends).unwrap_or(value.len())];
        value.len() >= LEAST && !is_masked(value) && !value.starts_with(['/', '.', '~', '*'])
    };
    let behind =
        |words: &str| -> Vec<&str> { line.match_indices(words).map(|(at, _)| &line[at + words.len()..]).collect() };
    let of_sshpass = behind("sshpass -p").into_iter().map(|value| value.trim_start_matches(' '));
    // `docker login -u me -p …`, `mysql -p…`
    let own = |rest: &'_ str| rest.find(['&', ';', '|']).unwrap_or(rest.len());
    let of = |program: &str| behind(program).into_iter().map(|rest| &rest[..own(rest)]).collect::<Vec<_>>();
    let of_login = of(" login ").into_iter().filter_map(|rest| Some(rest.split_once("-p ")?.1));
    let of_wandb = of("wandb login ").into_iter().filter(|key| key.len() >= 40);
    let of_mysql = of("mysql ").into_iter().filter_map(|rest| Some(rest.split_once("-p")?.1));
    let of_mysql = of_mysql.filter(|value| !value.starts_with([' ', '-']) && value.len() > LEAST);
    let of_pipe = line.split_once("--password-stdin").and_then(|(before, _)| before.split_once("echo "));
    let of_pipe = of_pipe.map(|(_, value)| value.trim_start_matches("-n "));
    let of_option = of_wandb.chain(of_sshpass).chain(of_login).chain(of_mysql).chain(of_pipe);
    VARIABLES.iter().flat_map(|name| behind(&format!("{name}="))).chain(of_option).any(is_password)
}

/// `://user:password@host`, unless a variable or a mask stands for the password.
fn password_in_url(line: &str) -> bool {
    line.match_indices("://").any(|(at, sign)| {
        let ends = |letter: char| letter.is_whitespace() || matches!(letter, '/' | '?' | '#' | '"' | '\'' | '`');
        let authority = line[at + sign.len()..].split(ends).next().unwrap_or_default();
        let password = authority.rsplit_once('@').and_then(|(user, _)| Some(user.split_once(':')?.1));
        password.is_some_and(|password| !is_masked(password))
    })
}

/// Whether a mask or a variable stands for a password.
fn is_masked(password: &str) -> bool {
    password.chars().all(|letter| matches!(letter, '*' | 'x' | 'X' | '.' | '…'))
        || password.starts_with(['$', '<', '{', '%', '['])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_told_from_settings() {
        for (line, expected) in [
            (r#""header": "Authorization: Bearer abcdefghij0123456789""#, true),
            ("export OPENAI_API_KEY=abcdefghij0123456789", true),
            (concat!("token: hf", "_abcdefghijABCDEFGHIJ0123456789"), true),
            (r#""api_key_env": null,"#, false),
            ("--api-key $KEY", false),
            ("wandb login 0123456789abcdef0123456789abcdef01234567", true),
            ("wandb login --relogin", false),
            ("--api-key EMPTY", false),
            ("--api-key token-abc123", false),
            ("--api-key token-abc1234", true),
            ("--api-key abcdefghij0123456789", true),
            (r#""api_key" : "abcdefghij0123456789""#, true),
            ("--api-keyabcdefghij0123456789", false),
            (r#""password_env": "PASSWORD""#, false),
            ("risk-adjusted-capacity-planning-2026", false),
            ("sk-learn and other words", false),
            ("risk-abcdefghij0123456789", false),
            ("sk-abcdefghij012345678", false),
            ("sk-abcdefghij0123456789", true),
            ("sk-abcdefghijabcdefghij", false),
            ("-----BEGIN OPENSSH PRIVATE KEY-----", true),
            ("-----BEGIN CERTIFICATE-----", false),
            ("the last line is PRIVATE KEY-----", false),
            ("password=abcdefghij01", true),
            ("--endpoint http://me:hunter@10.0.0.1:8000/v1", true),
            (r#""url": "https://me:geheim@host""#, true),
            ("http://127.0.0.1:8000/v1/a@b", false),
            ("https://me@host:443/", false),
            ("https://me:$PASSWORD@host", false),
            ("https://me:***@host", false),
            ("https://me:@host", false),
            ("password=abcd0", false),
            ("password=abcde0", true),
            (concat!("AWS_SECRET", "_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"), true),
            ("AWS_SECRET_ACCESS_KEY=$SECRET", false),
            (concat!("--token=eyJ", "hbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N"), true),
            ("--token abcdefgh0123", true),
            ("--token abcdefgh012", false),
            ("--token /run/secrets/token-1", false),
            ("2.5 ms per token: 0.25ms-a-step", false),
            ("max_tokens=1024abcdefghijk", false),
            ("the password is in the vault2", false),
            ("bench --password hunter2", true),
            ("--password $PASSWORD1", false),
            ("--password <password1>", false),
            ("--password ****1a", false),
            ("curl -u admin:Tr0ub4dor3x9 http://host", true),
            ("curl -u admin:password http://host", true),
            ("curl --user=admin:password http://host", true),
            ("curl -u admin:$PASSWORD http://host", false),
            ("curl -u admin http://host", false),
            ("docker run -u 1000:1000 image", false),
            ("docker run --user nobody:nogroup image", false),
            ("tool --user admin:Tr0ub4dor3x9", true),
            ("password=abcdefghijab", false),
            ("export PASSWORD=geheim", true),
            ("export DB_PASSWORD='geheim'", true),
            ("PGPASSWD=abcd psql", true),
            ("PGPASSWD=abc psql", false),
            ("export PASSWORD=$GEHEIM", false),
            ("export PASSWORD=<yours>", false),
            ("export PASSWORD=/run/secrets/password", false),
            ("export PASSWORD=***", false),
            ("export PASSWORD=", false),
            ("PASSWORD is asked for", false),
            ("sshpass -p geheim ssh host", true),
            ("sshpass -pgeheim ssh host", true),
            ("sshpass -p $GEHEIM ssh host", false),
            ("sshpass -e ssh host", false),
            ("docker login -u me -p hunter r.example", true),
            ("docker login -u me -p $HUNTER r.example", false),
            ("docker login r.example && docker run -p 8000:8000 a", false),
            ("echo hunter | docker login -u me --password-stdin", true),
            ("echo $HUNTER | docker login -u me --password-stdin", false),
            ("mysql -phunter", true),
            ("mysql -p 3306", false),
            (concat!("https://hooks.slack", ".com/services/T01234567/B01234567/abcdefghij"), true),
            (concat!("https://hooks.slack", ".com/services/T012/$HOOK"), false),
            (concat!("https://discord", ".com/api/webhooks/0123456789/abcdefghij"), true),
            // Letters alone, drawn at random.
            (concat!("hf", "_QxvTzNwhRbKfJmLpYcDgSaUeHiOqVkXnBt"), true),
            (concat!("hf", "_TransformersConfigurationFileLoader"), false),
            (concat!("hf", "_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"), false),
            (concat!("hf", "_XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX"), false),
            ("--token QxvTzNwhRbKfJmLp", true),
            ("--token QxvTzNwhRbKfJmL", false),
            ("--token ReadFromTheVault", false),
            // The keys of other services, each with a letter too few beside it.
            (concat!("AIza", "SyA1bcdefghijklmnopqrstuvwxyz_-12345"), true),
            (concat!("AIza", "SyA1bcdefghijklmnopqrstuvwxyz_-123"), false),
            (concat!("rpa", "_ABCDEFGHIJKLMNOPQRSTUVWXYZ0123"), true),
            (concat!("rpa", "_ABCDEFGHIJKLMNOPQRSTUVWXYZ012"), false),
            (concat!("gsk", "_abcdefghijklmnopqrstuvwxyz0123"), true),
            (concat!("r8", "_abcdefghijklmnopqrstuvwxyz0123"), true),
            ("q8_r8_block_of_32_values_with_one_scale_of_two_bytes", false),
            (concat!("github", "_pat_11ABCDEFG0abcdefghijkl_0123456789"), true),
            // A name and a password in base 64.
            ("-H 'Authorization: Basic dXNlcjpwYXNzd29yZA=='", true),
            (r#"{"authorization": "basic YWRtaW46YWRtaW4="}"#, true),
            ("-H 'Authorization: Basic dXNlcjp'", false),
            ("Authorization: Basic authentication is off", false),
            ("-H 'Authorization: Basic $CREDENTIALS'", false),
            ("Basic ConfigurationOfTheServer1", false),
            ("https://h.example/a.json?sv=2024&sig=abcdefghij012345%2B", true),
            ("https://h.example/a.json?X-Amz-Signature=abcdefghij012345", true),
            ("https://h.example/a.json?sig=abcdefghij01234", false),
            ("https://h.example/a.json?signed=abcdefghij012345", false),
            ("https://h.example/a.json?sig=$SIGNATURE", false),
            ("pass=hunter2", true),
            ("DB_PASS=hunter2", true),
            ("pwd=hunter2", true),
            (r#""pass": "hunter2""#, true),
            ("pass=hunt2", false),
            ("pass=hunters", false),
            ("passwd=hunter2", true),
            ("First pass: 1024tokens", false),
            ("bypass=hunter2", false),
            ("pass 12of14", false),
            ("--pass=$PASSWORD1", false),
        ] {
            assert_eq!(secret(line).is_some(), expected, "{line}");
        }
    }
}
