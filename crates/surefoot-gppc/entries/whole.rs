//! The entry that gives whole cheapest paths.

surefoot_gppc::entry!(surefoot_gppc::Whole);
