use toml::de::*;
fn main() {
    for t in [
        "# c\ntitle = \"é\"\nbase_url = 'x'\nd = 2026-10-01\nn = 1_000\nf = 1_0.5\nx = 0xff\ni = inf\nlist = [1, {a = 2}]\n[brand]\nlogo = \"l\"\n[aliases]\n\"runs/a\" = \"runs/b\"\na.b = 1\n",
        "title = \"a\"\ntitle = \"b\"\nx = \ny = 1",
        "x = [[[",
        "",
        "[a]\nx=1\n[a]\ny=1",
        "title = \"x\nbase_url = 1",
        "a = 9999999999999999999999",
    ] {
        println!("=== {t:?}");
        let (d, errs) = DeTable::parse_recoverable(t);
        println!("root {:?}", d.span());
        fn show(t: &str, d: &DeTable, n: usize) {
            for (k, v) in d.iter() {
                println!(
                    "{}{:?} {:?} = {:?} {:?}",
                    " ".repeat(n),
                    k.get_ref(),
                    k.span(),
                    &t[v.span()],
                    v.get_ref().type_str()
                );
                if let DeValue::Integer(i) = v.get_ref() {
                    println!("int {:?} {}", i.as_str(), i.radix())
                }
                if let DeValue::Float(i) = v.get_ref() {
                    println!("float {:?}", i.as_str())
                }
                if let DeValue::Table(d) = v.get_ref() {
                    show(t, d, n + 2)
                }
            }
        }
        show(t, d.get_ref(), 0);
        for e in errs {
            println!("ERR {:?} {:?}", e.span(), e.message());
        }
    }
    let t = format!("a = {}", "[".repeat(1_000_000));
    let s = std::time::Instant::now();
    let (_, e) = DeTable::parse_recoverable(&t);
    println!("{:?} {} {:?}", s.elapsed(), e.len(), e.first().map(|e| (e.span(), e.message().to_owned())));
    let t = "a.".repeat(100_000) + "a = 1";
    let s = std::time::Instant::now();
    let (d, e) = DeTable::parse_recoverable(&t);
    println!("{:?} {} {:?}", s.elapsed(), e.len(), e.first().map(|e| (e.span(), e.message().to_owned())));
    std::mem::forget(d);
}
