mod file;
mod graphs;
mod labels;
mod update;
