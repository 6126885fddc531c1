//! The entry that gives paths piece by piece, each within a constant amount of planning.

surefoot_gppc::entry!(surefoot_gppc::RealTime);
