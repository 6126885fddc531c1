mod graphs;
mod labels;
