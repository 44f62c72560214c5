//! What only one machine or one network has, in what a reader would repeat: paths and addresses.

use super::reproduce::strings;
use crate::diagnostic::{Diagnostic, Report, quoted, rules};
use crate::record::Run;
use crate::schema::Document;

/// Folders that every machine of a kind has.
const COMMON: [&str; 8] = ["usr", "bin", "sbin", "etc", "dev", "proc", "sys", "lib"];

/// Where the software of a card stands on every machine that has it. What else is below `/opt` is somebody's own.
const INSTALLED: [&str; 3] = ["nvidia", "rocm", "intel"];

/// Where servers answer, which is a path of none of them.
const ENDPOINTS: [&str; 3] = ["v1", "v2", "api"];

/// Paths and addresses of one machine in the commands, the flags, the environment and the spec: nobody else has them.
pub fn named(run: &Run, document: &Document, report: &mut Report) {
    let record = document.value();
    let of_config = |position| ["engine", "environment"].map(|name| format!("/configs/{position}/{name}"));
    let of_record = ["/reproduce", "/software/kernels", "/environment", "/spec"].map(str::to_owned);
    let mut paths = Vec::new();
    for whole in of_record.into_iter().chain((0..run.configs.len()).flat_map(of_config)) {
        let Some(value) = record.pointer(&whole) else { continue };
        strings(value, &whole, &mut |pointer, text| {
            let of_machine = machine_paths(text).into_iter().map(|path| (path, "a path of one machine"));
            let mut addresses: Vec<_> = private_addresses(text).chain(private_hosts(text)).collect();
            addresses.sort();
            addresses.dedup();
            let of_network = addresses.into_iter().map(|address| (address, "an address of one network"));
            paths.extend(of_machine.chain(of_network).map(|(found, what)| (pointer.to_owned(), found, what)));
        });
    }
    for (pointer, path, what) in paths {
        let message = format!("{} is {what}", quoted(&path));
        report.push(
            Diagnostic::new(&rules::REPRODUCE_MACHINE_PATH, document.location(&pointer), message)
                .pointer(pointer)
                .help("say where a reader gets it, or what to put in its place; or acknowledge the rule with that"),
        );
    }
}

/// What separates a path or an address from what stands before it.
fn opens(letter: char) -> bool {
    letter.is_whitespace() || "='\"`:,;(<>@|".contains(letter)
}

/// The absolute paths that other machines need not have, each once: from the root, from somebody's home, or from a drive.
fn machine_paths(text: &str) -> Vec<String> {
    let mut found = Vec::<String>::new();
    let mut past = 0;
    for (at, _) in text.char_indices() {
        let begins = at >= past && text[..at].chars().next_back().is_none_or(opens);
        let Some(path) = begins.then(|| machine_path(&text[at..])).flatten() else { continue };
        past = at + path.len();
        if !found.contains(&path) {
            found.push(path);
        }
    }
    found
}

/// The path that a text begins with.
fn machine_path(rest: &str) -> Option<String> {
    let ends = |letter: char| letter.is_whitespace() || "'\"`,:;)<>|".contains(letter);
    let (before, path) = match rest.strip_prefix("file://") {
        Some(path) => ("file://", path),
        None => ("", rest),
    };
    let named = path.starts_with(|first: char| first.is_ascii_uppercase());
    let drive = match path.get(1..3) {
        Some(":\\") => path.starts_with(|first: char| first.is_ascii_alphabetic()),
        Some(":/") => named,
        _ => false,
    };
    if let Some(share) = path.strip_prefix("\\\\") {
        let path = &path[..path.find(ends).unwrap_or(path.len())];
        let (server, folder) = share.split_once('\\')?;
        let is_name = |name: &str| name.starts_with(|first: char| first.is_ascii_alphanumeric());
        return (is_name(server) && is_name(folder)).then(|| path.to_owned());
    }
    let from = if drive { 2 } else { 0 };
    let path = &path[..path[from..].find(ends).map_or(path.len(), |end| from + end)];
    let mut parts = path.split(['/', '\\']);
    let (root, first) = (parts.next()?, parts.next()?);
    let second = parts.next().unwrap_or_default();
    let is_everywhere =
        COMMON.contains(&first) || ENDPOINTS.contains(&first) || (first == "opt" && INSTALLED.contains(&second));
    let own = match root {
        "" => path.starts_with('/') && !is_everywhere,
        // A file of settings is there on every machine, if another one.
        "~" | "$HOME" | "${HOME}" if second.is_empty() => {
            return (!first.is_empty() && !first.starts_with('.')).then(|| format!("{before}{path}"));
        }
        "~" | "$HOME" | "${HOME}" => true,
        _ => drive,
    };
    (own && (drive || !second.is_empty()) && !first.is_empty()).then(|| format!("{before}{path}"))
}

/// The addresses of a private network, where they are such and no versions of four numbers.
/// Source: RFC 1918, "Address Allocation for Private Internets".
fn private_addresses(text: &str) -> impl Iterator<Item = String> {
    const HINTS: [&str; 10] = ["host", "addr", "ip", "url", "server", "peer", "ssh", "ping", "master", "node"];
    let is_part = |letter: char| letter.is_ascii_digit() || letter == '.';
    let starts = text
        .char_indices()
        .filter(|(at, letter)| letter.is_ascii_digit() && text[..*at].chars().next_back().is_none_or(opens_address));
    starts.map(|(at, _)| at).filter_map(move |at| {
        let rest = &text[at..];
        let address = &rest[..rest.find(|letter| !is_part(letter)).unwrap_or(rest.len())];
        let numbers: Option<Vec<u8>> = address.trim_end_matches('.').split('.').map(|part| part.parse().ok()).collect();
        let (surely, private) = match numbers?[..] {
            [192, 168, _, _] => (true, true),
            [10, _, _, _] | [172, 16..=31, _, _] => (false, true),
            _ => (false, false),
        };
        let (before, after) = (&text[..at], &rest[address.len()..]);
        let last = before.trim_end().rsplit(char::is_whitespace).next().unwrap_or_default().to_lowercase();
        let is_address = surely
            || before.ends_with(['@', '/'])
            || after.starts_with([':', '/'])
            || HINTS
                .iter()
                .any(|hint| last.split(|letter: char| !letter.is_ascii_alphabetic()).any(|part| part == *hint));
        (private && is_address).then(|| address.trim_end_matches('.').to_owned())
    })
}

/// The hosts that only one network knows by their names: behind `ssh`, or in an address.
fn private_hosts(text: &str) -> Vec<String> {
    const NETWORKS: [&str; 6] = [".internal", ".local", ".lan", ".corp", ".intranet", ".home.arpa"];
    const REMOTE: [&str; 4] = ["ssh", "scp", "rsync", "sftp"];
    let is_name = |host: &str| {
        host.starts_with(|first: char| first.is_ascii_alphabetic())
            && host.chars().all(|letter| letter.is_ascii_alphanumeric() || ".-_".contains(letter))
    };
    // `gpu17` is the name of a machine, `server` that of a place to be filled in.
    let is_private = |host: &str| {
        let host = host.to_lowercase();
        let is_numbered = !host.contains('.') && host.contains(|letter: char| letter.is_ascii_digit());
        is_name(&host) && (is_numbered || NETWORKS.iter().any(|network| host.ends_with(network)))
    };
    let words = || text.split(|letter: char| letter.is_whitespace() || "'\"`<>()".contains(letter));
    let host_of = |word: &str| word.split(['/', ':']).next().unwrap_or_default().to_owned();
    let of_address = words().filter_map(|word| Some(host_of(word.split_once("://")?.1.rsplit('@').next()?)));
    let of_user = words().zip(words().skip(1)).filter_map(|(before, word)| {
        let named = word.split_once('@').map_or(word, |(_, host)| host);
        (REMOTE.contains(&before)).then(|| host_of(named))
    });
    of_address.chain(of_user).filter(|host| is_private(host)).collect()
}

fn opens_address(letter: char) -> bool {
    opens(letter) || letter == '/'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_of_one_machine() {
        for (text, expected) in [
            ("--config /workspace/hf/config.json", Some("/workspace/hf/config.json")),
            ("-v /models/a:/models", Some("/models/a")),
            ("http://127.0.0.1:8000/v1/completions", None),
            ("/usr/bin/env python3", None),
            ("--model ~/models/a", Some("~/models/a")),
            ("~/.bashrc", None),
            ("~/.cache/hf", Some("~/.cache/hf")),
            ("--dataset ~/x.jsonl", Some("~/x.jsonl")),
            ("--dataset=$HOME/x.jsonl", Some("$HOME/x.jsonl")),
            ("--cache ${HOME}/hf/hub", Some("${HOME}/hf/hub")),
            ("cd ~/", None),
            ("cd ~", None),
            ("a ~b/c/d", None),
            ("file:///home/me/a.json", Some("file:///home/me/a.json")),
            ("file:///usr/share/a.json", None),
            (r"--model C:\Users\me\a.gguf -t 4", Some(r"C:\Users\me\a.gguf")),
            (r"a:C:\a", Some(r"C:\a")),
            (r"--model D:\a.gguf", Some(r"D:\a.gguf")),
            ("--model D:/models/a.gguf", Some("D:/models/a.gguf")),
            ("-v x:/models", None),
            (r"--data \\server\share\a.json", Some(r"\\server\share\a.json")),
            (r"-d @\\server\share", Some(r"\\server\share")),
            (r"\\server", None),
            (r"\\server\-a", None),
            (r"\\-a\share", None),
            (r"bench \\ --rate 4", None),
            ("`/data/a.json`", Some("/data/a.json")),
            ("--endpoint /v1/completions", None),
            ("curl -d @/data/a.json", Some("/data/a.json")),
            (r"\n\tab", None),
            ("--model /opt/models/x", Some("/opt/models/x")),
            ("/opt/rocm/bin/rocm-smi", None),
            ("LD_LIBRARY_PATH=/usr/lib:/home/me/lib", Some("/home/me/lib")),
            ("runs/a.json > /dev/null", None),
            ("a / b", None),
            ("vllm/vllm-openai:v0.31.0", None),
        ] {
            assert_eq!(machine_paths(text).first().map(String::as_str), expected, "{text}");
        }
    }

    #[test]
    fn every_path_is_named() {
        assert_eq!(
            machine_paths(
                "a --model /data/m --trace=/data/t.jsonl -v /data/m:/models D:/b.gguf file:///home/me/a.json"
            ),
            ["/data/m", "/data/t.jsonl", "D:/b.gguf", "file:///home/me/a.json"]
        );
    }

    #[test]
    fn hosts_of_one_network() {
        for (text, expected) in [
            ("ssh alice@gpu17 nvidia-smi", Some("gpu17")),
            ("ssh gpu17", Some("gpu17")),
            ("scp a.json bob@node-3:/tmp", None),
            ("rsync me@node-3:/tmp/a .", Some("node-3")),
            ("bench --url http://gpu-box-17.internal:8000/v1", Some("gpu-box-17.internal")),
            ("bench --url http://gpu17:8000", Some("gpu17")),
            ("http://user@gpu17/", Some("gpu17")),
            ("bench --url http://server:8000", None),
            ("http://localhost:8000", None),
            ("http://127.0.0.1:8000", None),
            ("git clone git@github.com:a/b2", None),
            ("https://example.com/gpu17", None),
            ("image@sha256:0f1", None),
        ] {
            assert_eq!(private_hosts(text).first().map(String::as_str), expected, "{text}");
        }
    }

    #[test]
    fn addresses_of_one_network() {
        for (text, expected) in [
            ("--host 192.168.1.20", Some("192.168.1.20")),
            ("http://192.168.1.20:8000/v1", Some("192.168.1.20")),
            ("ssh me@10.0.0.5", Some("10.0.0.5")),
            ("--master-addr 10.0.0.5", Some("10.0.0.5")),
            ("--base-url=10.0.0.5", Some("10.0.0.5")),
            ("10.0.0.5:8000", Some("10.0.0.5")),
            ("http://172.16.0.1/", Some("172.16.0.1")),
            ("http://172.31.0.1/", Some("172.31.0.1")),
            ("http://172.32.0.1/", None),
            ("http://172.15.0.1/", None),
            ("tensorrt==10.13.3.9", None),
            ("TensorRT 10.13.3.9", None),
            ("192.168.1", None),
            ("build192.168.1.20", None),
            ("192.168.1.300", None),
            ("http://127.0.0.1:8000", None),
            ("--host 0.0.0.0", None),
            ("8.8.8.8, then 192.168.0.1.", Some("192.168.0.1")),
        ] {
            assert_eq!(private_addresses(text).next().as_deref(), expected, "{text}");
        }
        let two = "--host 192.168.1.20 --peer 192.168.1.21";
        assert_eq!(private_addresses(two).collect::<Vec<_>>(), ["192.168.1.20", "192.168.1.21"]);
        assert_eq!(private_hosts("ssh gpu17 a; ssh gpu18 b"), ["gpu17", "gpu18"]);
    }
}
