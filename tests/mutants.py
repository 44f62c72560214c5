"""All mutants that cargo-mutants lists, in one program: tests/mutants calls this in its copy of the tree.

Each mutant is compiled in beside the code that it replaces, and one is chosen when the tests run:

    a < b        becomes    (match crate::mutant::chosen() { 7 => a == b, 8 => a > b, _ => a < b })
    fn f() { … }            fn f() { if crate::mutant::is(9) { return Default::default(); } … }

so that a mutant costs a run of the tests and no build. What does not compile is taken out, as cargo-mutants counts it:
not viable. Left out are the few that replace an iterator by one of a single default element, since two types of iterator
cannot stand in one function.
"""

import concurrent.futures
import json
import os
import pathlib
import random
import re
import resource
import subprocess
import sys

import tree_sitter
import tree_sitter_rust

PARSER = tree_sitter.Parser(tree_sitter.Language(tree_sitter_rust.language()))
CHOICE = """
pub mod mutant {
    use std::sync::OnceLock;

    static CHOSEN: OnceLock<u32> = OnceLock::new();

    pub fn chosen() -> u32 {
        *CHOSEN.get_or_init(|| std::env::var("MUTANT").ok().and_then(|id| id.parse().ok()).unwrap_or(0))
    }

    pub fn is(id: u32) -> bool {
        chosen() == id
    }
}
"""
# What stands in one place: code of one kind inside of code of the same extent, the outer kind first.
DELETED, GUARD, EXPRESSION = 3, 2, 1


# Tests of single functions.
FIRST = ["figures::", "formula::", "catalog::"]
# What takes longer than ten times what all tests take does not end. Time of a processor, whatever else the machine does.
LIMIT_S = 60


def end_in_time():
    resource.setrlimit(resource.RLIMIT_CPU, (LIMIT_S, LIMIT_S))


def marked(mutant, code):
    """Code between two comments, by which a fault of the compiler is told to be the mutant's."""
    return b"/*{%d*/%s/*}%d*/" % (mutant, code, mutant)


class File:
    """A file of the source and what its mutants put where."""

    def __init__(self, text, mutants):
        self.data = text.encode()
        self.root = PARSER.parse(self.data).root_node
        self.lines = text.split("\n")
        self.starts = [0]
        for line in self.lines:
            self.starts.append(self.starts[-1] + len(line.encode()) + 1)
        self.places, self.first, self.ends = {}, {}, {}
        for mutant in mutants:
            self.place(mutant)

    def at(self, position):
        line = position["line"] - 1
        return self.starts[line] + len(self.lines[line][: position["column"] - 1].encode())

    def around(self, begin, end, kinds):
        node = self.root.descendant_for_byte_range(begin, end)
        while node and node.type not in kinds:
            node = node.parent
        return node

    def place(self, mutant):
        number, genre = mutant["id"], mutant["genre"]
        begin, end = self.at(mutant["span"]["start"]), self.at(mutant["span"]["end"])
        other = mutant["replacement"].encode()
        if genre == "FnValue":
            if "impl " not in mutant["function"]["return_type"]:
                body = b"if crate::mutant::is(%d) { return %s; }" % (number, other)
                self.first.setdefault(begin, []).append(marked(number, body) + b"\n")
            elif other == b"::std::iter::empty()":
                none = b"}).filter(|_| !crate::mutant::is(%d))" % number
                self.ends.setdefault(begin, []).append(marked(number, b"({"))
                self.ends.setdefault(end, []).append(marked(number, none))
            return
        if genre == "MatchArmGuard":
            return self.add(GUARD, begin, end, number, other)
        if genre == "MatchArm":
            pattern = self.around(begin, end - 1, ["match_arm"]).child_by_field_name("pattern")
            guard = pattern.child_by_field_name("condition")
            extent = (guard.start_byte, guard.end_byte) if guard else (pattern.end_byte, pattern.end_byte)
            return self.add(DELETED, *extent, number, b"&& (" if guard else b"")
        kinds = {"UnaryOperator": ["unary_expression"], "StructField": ["struct_expression"]}
        node = self.around(begin, end, kinds.get(genre, ["binary_expression", "compound_assignment_expr", "let_chain"]))
        # `||` beside `let` is no Rust.
        if node is None or node.type == "let_chain":
            return
        # The operators of one expression are replaced as text, so that what binds tighter does so in the mutant too.
        while genre == "BinaryOperator" and node.parent.type == "binary_expression":
            node = node.parent
        if genre == "StructField":
            end = re.compile(rb"\s*,?").match(self.data, end).end()
        whole = self.data[node.start_byte : begin] + other + self.data[end : node.end_byte]
        self.add(EXPRESSION, node.start_byte, node.end_byte, number, whole)

    def add(self, kind, begin, end, number, code):
        self.places.setdefault((begin, end, kind), []).append((number, code))

    def text(self, begin=0, end=None, inside=4):
        """The bytes of an extent with all mutants in it; of the same extent only kinds below `inside`."""
        end = len(self.data) if end is None else end
        found = [(at, 0, 0, None) for at in self.ends if begin < at <= end]
        found += [(at, 1, 0, None) for at in self.first if begin <= at < end and (at != begin or inside == 4)]
        for place in self.places:
            if begin <= place[0] and place[1] <= end and (place[:2] != (begin, end) or place[2] < inside):
                found.append((place[0], 2, -place[1] - place[2] / 10, place))
        out, at = b"", begin
        for start, order, _, place in sorted(found, key=lambda one: one[:3]):
            if start < at:
                continue
            out, at = out + self.data[at:start], start
            if place is None:
                out += b"".join((self.ends, self.first)[order][start])
            else:
                out, at = out + self.choice(place), place[1]
        return out + self.data[at:end]

    def choice(self, place):
        begin, end, kind = place
        own = self.text(begin, end, kind)
        if kind == DELETED:
            ((number, guarded),) = self.places[place]
            kept = marked(number, b"!crate::mutant::is(%d)" % number)
            return kept + b" && (" + own + b")" if guarded else b" if " + kept + b" "
        arms = [marked(number, b"%d => %s," % (number, code)) + b"\n" for number, code in self.places[place]]
        return b"(match crate::mutant::chosen() {\n" + b"".join(arms) + b"_ => " + own + b"})"


def write(files, root, dropped):
    for path, (text, mutants) in files.items():
        kept = [mutant for mutant in mutants if mutant["id"] not in dropped]
        (root / path).write_bytes(File(text, kept).text())


def cargo(*arguments):
    asked = ["cargo", *arguments, "--lib", "--message-format=json"]
    ran = subprocess.run(asked, capture_output=True, text=True)
    return ran.returncode, [json.loads(line) for line in ran.stdout.splitlines()], ran.stderr


def at_fault(root, message):
    """The mutants that a fault of the compiler is due to."""
    code = (message.get("code") or {}).get("code")
    if code == "E0004" and (named := re.findall(r"mutant::is\((\d+)\)", message["rendered"])):
        return [int(number) for number in named]
    spans = sorted(message["spans"], key=lambda span: not span["is_primary"])
    spans += [span for child in message["children"] for span in child["spans"]]
    for span in spans:
        path = root / span["file_name"]
        if not path.exists():
            continue
        data, begin, extents = path.read_bytes(), {}, []
        for found in re.finditer(rb"/\*([{}])(\d+)\*/", data):
            number = int(found[2])
            if found[1] == b"{":
                begin[number] = found.start()
            else:
                extents.append((begin[number], found.end(), number))
        within = [one for one in extents if one[0] <= span["byte_start"] <= one[1]]
        # Where the choice itself is at fault, in a constant, its first mutant is taken out, and so on.
        after = [one for one in extents if one[0] >= span["byte_start"]] if code in ("E0015", "E0004") else []
        if within or after:
            return [min(within, key=lambda one: one[1] - one[0])[2] if within else min(after)[2]]
    return []


def viable(files, root):
    """Takes out what does not compile; gives what is left."""
    dropped = set()
    while True:
        write(files, root, dropped)
        code, messages, rest = cargo("check")
        faults = [one["message"] for one in messages if one.get("reason") == "compiler-message"]
        faults = [fault for fault in faults if fault["level"] == "error"]
        new = {number for fault in faults for number in at_fault(root, fault)} - dropped
        if code == 0:
            break
        if not new:
            sys.exit("".join(fault["rendered"] for fault in faults) + rest)
        dropped |= new
    data = b"".join((root / path).read_bytes() for path in files)
    return sorted({int(number) for number in re.findall(rb"/\*\{(\d+)\*/", data)})


def place_taken_off(name):
    """A mutant without its line and column, which move while its code stays."""
    return re.sub(r":\d+:\d+: ", ": ", name)


def main():
    listing, out, filters = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3:]
    mutants = json.loads(pathlib.Path(listing).read_text())
    root, files = pathlib.Path.cwd(), {}
    chosen = os.environ.get("MUTANTS")
    if chosen:
        names = {place_taken_off(name) for name in pathlib.Path(chosen).read_text().splitlines()}
        mutants = [mutant for mutant in mutants if place_taken_off(mutant["name"]) in names]
    for number, mutant in enumerate(mutants, 1):
        mutant["id"] = number
        path = mutant["file"]
        files.setdefault(path, ((root / path).read_text(), []))[1].append(mutant)
    library = root / "src/lib.rs"
    library.write_text(library.read_text() + CHOICE)
    left = viable(files, root)
    code, messages, rest = cargo("test", "--no-run")
    built = [one["executable"] for one in messages if one.get("executable") and one["profile"]["test"]]
    if code or not built:
        sys.exit(rest)

    def passes(number, *tests):
        environment = {**os.environ, "MUTANT": str(number), "RUST_TEST_THREADS": "1"}
        ran = subprocess.run([built[0], *tests], env=environment, capture_output=True, preexec_fn=end_in_time)
        return ran.returncode == 0

    def missed(number):
        """Whether all tests pass with a mutant, asked of those first that take least."""
        return passes(number, *FIRST, *filters[filters.index("--skip") :]) and passes(number, *filters)

    if not missed(0):
        telling = {name: value for name, value in os.environ.items() if name != "FIRST_FAULT"}
        subprocess.run([built[0], *filters], env=telling, check=False)
        sys.exit("the tests fail without any mutant")
    random.Random(1).shuffle(left)
    out.mkdir(parents=True, exist_ok=True)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool, open(out / "missed.txt", "w") as file:
        missing = 0
        for done, (number, is_missed) in enumerate(zip(left, pool.map(missed, left)), 1):
            if is_missed:
                missing += 1
                print(mutants[number - 1]["name"], file=file, flush=True)
            if sys.stderr.isatty() or done % 100 == 0 or done == len(left):
                print(f"{done} of {len(left)}: {done - missing} caught", file=sys.stderr)


if __name__ == "__main__":
    main()
