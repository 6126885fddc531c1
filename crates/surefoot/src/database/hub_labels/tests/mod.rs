mod file;
mod graphs;
mod labels;
