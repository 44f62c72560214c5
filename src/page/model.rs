//! What the page of a model shows: its layer groups, its cache in every format, per GPU, and what fits a card.

use crate::catalog::{Item, RECORD};
use crate::figures::Figure;
use crate::figures::model::cards::{FITTING_CONTEXT, FORMATS, SERVED_CONTEXTS, loads, of_load};
use crate::figures::model::{CONTEXTS, GPUS, formats, of_context, of_format, of_gpus};
use crate::formula::storage::BF16;
use crate::formula::{self, Formula, memory, state};
use crate::quantity::{Quantity, Unit, grouped};
use crate::record::Model;
use crate::record::model::{GroupKind, Growth, LayerGroup};
use crate::source::Kind;

use super::frame::{Here, Link};
use super::part::Strand;
use super::record::Fact;
use super::table::{Cell, Heading, Row, Table, without_empty_columns};

/// A number that layer groups of some kinds have.
struct GroupColumn {
    heading: &'static str,
    field: &'static str,
    of: fn(&LayerGroup) -> Option<u64>,
}

const GROUP_COLUMNS: [GroupColumn; 13] = [
    GroupColumn { heading: "Layers", field: "layers", of: |group| Some(group.layers) },
    GroupColumn { heading: "KV heads", field: "kv_heads", of: |group| group.kv_heads },
    GroupColumn { heading: "K width", field: "k_dim", of: |group| group.k_dim },
    GroupColumn { heading: "V width", field: "v_dim", of: |group| group.v_dim },
    GroupColumn { heading: "Window, tokens", field: "window", of: |group| group.window },
    GroupColumn { heading: "Latent width", field: "dim", of: |group| group.dim },
    GroupColumn { heading: "Rotary width", field: "rope_dim", of: |group| group.rope_dim },
    GroupColumn { heading: "Tokens an entry", field: "stride", of: |group| group.stride },
    GroupColumn { heading: "Bytes an entry", field: "entry_bytes", of: |group| group.entry_bytes },
    GroupColumn { heading: "Convolution elements", field: "conv_elements", of: |group| group.conv_elements },
    GroupColumn { heading: "Recurrent elements", field: "recurrent_elements", of: |group| group.recurrent_elements },
    GroupColumn { heading: "State, B", field: "state_bytes", of: |group| group.state_bytes },
    GroupColumn { heading: "Source tokens", field: "source_tokens", of: |group| group.source_tokens },
];

/// The model's bytes per token in a sentence.
pub fn finding(here: &Here, item: &Item) -> String {
    let figure = here.site.figures.find(&item.address, RECORD, &memory::KV_BYTES_PER_TOKEN);
    let says = |figure: &Figure| {
        let (title, shown) = (item.title(), figure.shown());
        // Its unit is bytes per token.
        match shown.strip_suffix("/token") {
            Some(bytes) => format!("{title} holds {bytes} of KV cache per token in {}.", BF16.name),
            None => format!("{title} has no one size of KV cache per token in {}, since {shown}.", BF16.name),
        }
    };
    figure.map(|figure| says(figure)).unwrap_or_default()
}

pub fn facts(here: &Here, item: &Item, model: &Model) -> Vec<Fact> {
    let count = |label: &str, value: Option<u64>| value.map(|value| Fact::new(label, vec![Link::plain(whole(value))]));
    let mut facts = Vec::new();
    facts.extend(model.developer.as_ref().map(|name| Fact::new("Developer", vec![Link::plain(name)])));
    facts.extend(count("Layers", Some(model.layers)));
    facts.extend(count("Attention heads", model.attention_heads));
    facts.extend(count("Hidden size", model.hidden_size));
    facts.extend(count("Longest context, tokens", model.max_context_tokens));
    facts.extend(model.shape.map(|shape| Fact::new("Shape", vec![Link::plain(shape.words())])));
    let sizes = [
        ("Weights", "weights_bytes", &model.weights_bytes),
        ("Weights read for a token", "active_weights_bytes", &model.active_weights_bytes),
    ];
    for (what, field, sizes) in sizes {
        for (dtype, bytes) in sizes {
            let (pointer, bytes) = (format!("/{field}/{dtype}"), Quantity::exact(*bytes as f64));
            let stated = item.document.stated(&pointer, Unit::Count("B"), bytes);
            let size = format!("{stated} ({})", Unit::Bytes.show(bytes));
            let href = here.to_source(&item.document, &pointer);
            facts.push(Fact::new(&format!("{what}, in {dtype}"), vec![Link { text: size, href: Some(href) }]));
        }
    }
    let apart: [&Formula; 3] = [&state::FIXED_STATE_BYTES, &memory::KV_CROSS_BYTES, &memory::KV_DRAFT_BYTES_PER_TOKEN];
    for formula in apart {
        if let Some(figure) = here.site.figures.find(&item.address, RECORD, formula) {
            let href = here.to_figure(&item.address, figure);
            facts.push(Fact::new(formula.name, vec![Link { text: figure.shown(), href: Some(href) }]));
        }
    }
    let names: Vec<_> = model.names.iter().map(Link::plain).collect();
    facts.extend((!names.is_empty()).then(|| Fact::new("Known as", names)));
    facts.extend(model.assumed.as_ref().map(|reason| Fact::new("Assumed", vec![Link::plain(reason)])));
    facts
}

/// What the model is by itself, then what it is on each card.
pub fn strands<'a>(here: &'a Here, item: &'a Item, model: &'a Model) -> Vec<Strand<'a>> {
    let page = ModelPage { here, item, model };
    let alone = model.groups.len() + model.draft_groups.len() + formats(model).count() + CONTEXTS.len() + 1;
    let loads = page.loads();
    let few = loads.clone();
    vec![
        Strand::new(1, alone, move |_| page.alone()),
        Strand::new(few.len(), FORMATS.len(), move |range| vec![page.sequences(&few[range])]),
        Strand::new(loads.len(), 1, move |range| vec![page.fits(&loads[range])]),
    ]
}

#[derive(Clone, Copy)]
struct ModelPage<'a> {
    here: &'a Here<'a>,
    item: &'a Item,
    model: &'a Model,
}

impl<'a> ModelPage<'a> {
    fn figure(&self, subject: &str, formula: &Formula) -> Option<&Figure> {
        self.here.site.figures.find(&self.item.address, subject, formula).map(AsRef::as_ref)
    }

    /// Its layers, and its cache in every format, at every context, and per GPU.
    fn alone(&self) -> Vec<Table> {
        let model = self.model;
        let mut tables = vec![self.groups("groups", "What the layers keep", "/groups", &model.groups)];
        if !model.draft_groups.is_empty() {
            let caption = "What the draft layers keep while speculative decoding runs with them";
            tables.push(self.groups("draft-groups", caption, "/draft_groups", &model.draft_groups));
        }
        tables.push(self.formats());
        if model.groups.iter().any(|group| group.growth() != Growth::Grows || group.stride.is_some()) {
            tables.push(self.contexts());
        }
        tables.push(self.per_gpu());
        tables
    }

    fn cell(&self, subject: &str, formula: &Formula) -> Cell {
        let figure = self.figure(subject, formula);
        figure.map_or_else(|| Cell::text("–"), |figure| Cell::figure(self.here, &self.item.address, figure))
    }

    /// The layer groups, each with what it keeps; a dash where a kind has no such thing.
    fn groups(&self, id: &str, caption: &str, list: &str, groups: &[LayerGroup]) -> Table {
        let rows = groups.iter().enumerate().map(|(position, group)| {
            let mut cells: Vec<Cell> = GROUP_COLUMNS
                .iter()
                .map(|column| match (column.of)(group) {
                    None => Cell::text("–"),
                    Some(value) => {
                        let pointer = format!("{list}/{position}/{}", column.field);
                        let value = Quantity::exact(value as f64);
                        Cell::measured(self.here, &self.item.document, &pointer, Some(value))
                    }
                })
                .collect();
            cells.push(Cell::text(group.note.clone().unwrap_or_else(|| "–".to_owned())));
            row(group_words(group.kind), cells)
        });
        let head = ["Layer group"].into_iter().chain(GROUP_COLUMNS.iter().map(|column| column.heading)).chain(["Note"]);
        table(id, caption, head.map(Heading::plain).collect(), rows.collect())
    }

    fn heading(&self, formula: &Formula) -> Heading {
        Heading::formula(self.here, &self.item.address, formula)
    }

    /// A column at a context.
    fn at_context(&self, name: &str, tokens: u64, formula: &Formula) -> Heading {
        Heading { name: format!("{name} at {} tokens", whole(tokens)), direction: "", ..self.heading(formula) }
    }

    /// Bytes per token and totals, a row a storage format.
    fn formats(&self) -> Table {
        let mut head = vec![
            Heading::plain("KV cache in"),
            self.heading(&memory::KV_BYTES_PER_TOKEN),
            self.heading(&memory::KV_SHORT_BYTES_PER_TOKEN),
        ];
        head.extend(CONTEXTS.map(|tokens| self.at_context("Total", tokens, &memory::KV_GIB_AT_CONTEXT)));
        let rows = formats(self.model).map(|format| {
            let own = of_format(format.name);
            let mut cells =
                vec![self.cell(&own, &memory::KV_BYTES_PER_TOKEN), self.cell(&own, &memory::KV_SHORT_BYTES_PER_TOKEN)];
            let total = |tokens| self.cell(&of_context(format.name, tokens), &memory::KV_GIB_AT_CONTEXT);
            cells.extend(CONTEXTS.map(total));
            row(format.name, without_repetition(cells))
        });
        table("formats", "KV cache of one sequence by storage format", head, rows.collect())
    }

    /// The model's own format at each context.
    fn contexts(&self) -> Table {
        let formulas: [&Formula; 4] = [
            &memory::KV_GIB_AT_CONTEXT,
            &memory::KV_AVERAGE_BYTES_PER_TOKEN,
            &memory::KV_RESERVED_GIB_AT_CONTEXT,
            &memory::SEQUENCE_BYTES_AT_CONTEXT,
        ];
        let mut head = vec![Heading::plain("Tokens")];
        head.extend(formulas.map(|formula| self.heading(formula)));
        let rows = CONTEXTS.map(|tokens| {
            let cells = formulas.map(|formula| self.cell(&of_context(BF16.name, tokens), formula));
            row(&whole(tokens), cells.into())
        });
        table("contexts", &format!("One sequence in {} by its length", BF16.name), head, rows.into())
    }

    /// Bytes per token on each GPU of several.
    fn per_gpu(&self) -> Table {
        let mut head = vec![Heading::plain("GPUs")];
        head.extend(GPUS.map(|gpus| Heading::plain(whole(gpus))));
        let cells = GPUS.map(|gpus| self.cell(&of_gpus(gpus), &memory::KV_BYTES_PER_TOKEN_PER_GPU));
        let caption = format!("KV cache in {} on each GPU under tensor parallelism", BF16.name);
        table("gpus", &caption, head, vec![row("Bytes per token and GPU", cells.into())])
    }

    /// What goes into the memory that the weights leave, a row a card, dtype of the weights and storage format.
    fn sequences(&self, loads: &[OnCard]) -> Table {
        let mut head = vec![
            Heading::plain("One card"),
            Heading::plain("Weights in"),
            self.heading(&formula::card::KV_BUDGET_BYTES),
            Heading::plain("KV cache in"),
            self.heading(&formula::card::LONGEST_SEQUENCE_TOKENS),
            self.heading(&formula::card::SEQUENCE_RATIO),
        ];
        head.extend(
            SERVED_CONTEXTS
                .map(|tokens| self.at_context("Sequences, at most", tokens, &formula::card::SEQUENCES_AT_CONTEXT)),
        );
        let mut rows = Vec::new();
        for OnCard { card, weights } in loads.iter().copied() {
            let subject = of_load(card, weights);
            let budget = self.cell(&subject, &formula::card::KV_BUDGET_BYTES);
            let beside = [Cell::text(weights.unwrap_or("–")), budget];
            let longest = format!("{subject}-{}", BF16.name);
            if self.figure(&longest, &formula::card::LONGEST_SEQUENCE_TOKENS).is_none() {
                rows.push(self.card_row(card, beside.into_iter().chain((0..5).map(|_| Cell::text("–"))).collect()));
                continue;
            }
            for format in FORMATS {
                let own = format!("{subject}-{}", format.name);
                let mut cells = beside.to_vec();
                cells.extend([
                    Cell::text(format.name),
                    self.cell(&own, &formula::card::LONGEST_SEQUENCE_TOKENS),
                    self.cell(&own, &formula::card::SEQUENCE_RATIO),
                ]);
                let at = |tokens| format!("{subject}-{}", of_context(format.name, tokens));
                cells
                    .extend(SERVED_CONTEXTS.map(|tokens| self.cell(&at(tokens), &formula::card::SEQUENCES_AT_CONTEXT)));
                rows.push(self.card_row(card, cells));
            }
        }
        table("sequences", "Sequences that go into one card beside the weights: bounds, not measurements", head, rows)
    }

    /// Whether one sequence's cache fits, and what it leaves.
    fn fits(&self, loads: &[OnCard]) -> Table {
        let head = vec![
            Heading::plain("One card"),
            Heading::plain("Weights in"),
            self.heading(&formula::card::FITS_CARD),
            self.heading(&formula::card::ROOM_FOR_WEIGHTS_GIB),
            self.heading(&formula::card::ROOM_LEFT_GIB),
        ];
        let mut rows = Vec::new();
        for OnCard { card, weights } in loads.iter().copied() {
            let subject = format!("{}-{}", of_load(card, weights), of_context(BF16.name, FITTING_CONTEXT));
            let mut cells = vec![Cell::text(weights.unwrap_or("–"))];
            let formulas: [&Formula; 3] =
                [&formula::card::FITS_CARD, &formula::card::ROOM_FOR_WEIGHTS_GIB, &formula::card::ROOM_LEFT_GIB];
            cells.extend(formulas.map(|formula| self.cell(&subject, formula)));
            rows.push(self.card_row(card, cells));
        }
        let tokens = whole(FITTING_CONTEXT);
        let caption = format!("Whether the KV cache of one sequence of {tokens} tokens in {} fits one card", BF16.name);
        table("fits", &caption, head, rows)
    }

    /// Each card with each dtype of the weights.
    fn loads(&self) -> Vec<OnCard<'a>> {
        let weights: Vec<_> =
            loads(self.here.site.catalog, self.item, self.model).into_iter().map(|load| load.weights).collect();
        let cards = self.here.site.catalog.of_kind(Kind::Hardware);
        cards.flat_map(|card| weights.iter().map(move |weights| OnCard { card, weights: *weights })).collect()
    }

    fn card_row(&self, card: &Item, cells: Vec<Cell>) -> Row {
        Row { head_href: Some(self.here.to_item(card)), ..row(card.title(), cells) }
    }
}

/// A card with one dtype of a model's weights, or with none where no size is stated.
#[derive(Clone, Copy)]
struct OnCard<'a> {
    card: &'a Item,
    weights: Option<&'a str>,
}

/// What every model makes of one card, in the model's own format.
pub fn on_card<'a>(here: &'a Here, card: &'a Item) -> Strand<'a> {
    let models = here.site.catalog.of_kind(Kind::Model).filter_map(|item| here.site.catalog.model(&item.address));
    let loads = models.flat_map(|(item, model)| {
        loads(here.site.catalog, item, model).into_iter().map(move |load| (item, load.weights))
    });
    let loads: Vec<_> = loads.collect();
    Strand::new(loads.len(), 1, move |range| vec![models_on_card(here, card, &loads[range])])
}

fn models_on_card(here: &Here, card: &Item, loads: &[(&Item, Option<&str>)]) -> Table {
    let formulas: [&Formula; 3] =
        [&formula::card::KV_BUDGET_BYTES, &formula::card::LONGEST_SEQUENCE_TOKENS, &formula::card::SEQUENCE_RATIO];
    let mut head = vec![Heading::plain("Model"), Heading::plain("Weights in")];
    head.extend(formulas.map(|formula| Heading::formula(here, &card.address, formula)));
    let rows = loads.iter().map(|(item, weights)| {
        let subject = of_load(item, *weights);
        let cell = |formula| match here.site.figures.find(&card.address, &subject, formula) {
            Some(found) => Cell::figure(here, &card.address, found),
            None => Cell::text("–"),
        };
        let mut cells = vec![Cell::text(weights.unwrap_or("–"))];
        cells.extend(formulas.map(cell));
        Row { head_href: Some(here.to_item(item)), ..row(item.title(), cells) }
    });
    let caption = format!(
        "The longest sequence of each model, its cache in {}, on one card: bounds, not measurements",
        BF16.name
    );
    table("models", &caption, head, rows.collect())
}

/// A reason that the cell before gives too is a dash.
fn without_repetition(mut cells: Vec<Cell>) -> Vec<Cell> {
    for position in (1..cells.len()).rev() {
        if !cells[position].numeric && cells[position].text == cells[0].text {
            cells[position] = Cell::text("–");
        }
    }
    cells
}

fn row(head: &str, cells: Vec<Cell>) -> Row {
    Row { anchor: None, head: head.to_owned(), head_href: None, marks: Vec::new(), cells }
}

fn table(id: &str, caption: &str, head: Vec<Heading>, rows: Vec<Row>) -> Table {
    without_empty_columns(Table { id: id.to_owned(), caption: caption.into(), head, rows })
}

fn whole(number: u64) -> String {
    grouped(&number.to_string())
}

fn group_words(kind: GroupKind) -> &'static str {
    match kind {
        GroupKind::Full => "full attention: K and V of every token",
        GroupKind::Window => "sliding window: K and V of the last tokens",
        GroupKind::Chunk => "chunked: K and V of the current chunk",
        GroupKind::Latent => "latent attention: one vector a token",
        GroupKind::Index => "index keys of sparse attention",
        GroupKind::State => "state of fixed size",
        GroupKind::Compressor => "compressor state of fixed size",
        GroupKind::Cross => "cross attention: K and V of the source",
        GroupKind::Shared => "reads another group's cache",
        GroupKind::None => "no attention",
    }
}
