//! Everything that is tested through the real program or over the whole tree.

#![allow(clippy::disallowed_methods, reason = "tests make the folders they need")]

mod acknowledged;
mod browser;
mod cases;
mod charts;
mod collection;
mod command_line;
mod content;
mod corpus;
mod data;
mod edges;
mod evidence;
mod facts;
mod finding;
mod history;
mod hostile;
mod import;
mod import_results;
mod kv_geometry;
mod layering;
mod licences;
mod limits;
mod links;
mod listing;
mod lists;
mod measured;
mod money;
mod notes;
mod pairs;
mod program;
mod published_results;
mod publishing;
mod quantities;
mod records;
mod rules;
mod same_bytes;
mod schemas;
mod sentences;
mod shared;
mod sizes;
mod tree;
mod values;
mod walker;
mod within;
