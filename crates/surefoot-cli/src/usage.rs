//! Wrong arguments, told in one line. The parser's own messages run over several, with the whole usage in
//! them.

use std::path::Path;
use std::process::ExitCode;

use clap::CommandFactory as _;
use clap::error::{ContextKind, ContextValue, ErrorKind};

use crate::cli::Cli;
use crate::output;

/// Prints help and version as asked for, and anything else as one line about what is wrong.
pub(crate) fn report(error: &clap::Error) -> ExitCode {
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            // Fails only if nobody reads it.
            let _ = error.print();
            ExitCode::SUCCESS
        }
        kind => {
            let command = command_named(arguments());
            let problem = match kind {
                ErrorKind::MissingSubcommand | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
                    missing_command(&command)
                }
                ErrorKind::UnknownArgument => {
                    one_line(&error.render().to_string()) + &tip_for_file(error, &command)
                }
                _ => one_line(&error.render().to_string()),
            };
            output::tell(&format!("surefoot: {problem}; see '{} --help'", command.join(" ")));
            ExitCode::from(2)
        }
    }
}

/// The arguments; what is no UTF-8 names no command, and is not to end the program either.
fn arguments() -> impl Iterator<Item = String> {
    std::env::args_os().skip(1).map(|argument| argument.to_string_lossy().into_owned())
}

/// The words that name the (sub)command in `arguments`.
fn command_named(arguments: impl Iterator<Item = String>) -> Vec<String> {
    let mut command = Cli::command();
    let mut words = vec!["surefoot".to_string()];
    for argument in arguments {
        let Some(subcommand) = command.find_subcommand(&argument).cloned() else { break };
        command = subcommand;
        words.push(argument);
    }
    words
}

fn missing_command(words: &[String]) -> String {
    let command = command_of(words);
    let names: Vec<&str> = command.get_subcommands().map(clap::Command::get_name).collect();
    format!("expected a command after '{}', one of: {}", words.join(" "), names.join(", "))
}

/// What to do with a file that stands alone, where the command has options for files only.
fn tip_for_file(error: &clap::Error, words: &[String]) -> String {
    let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidArg) else { return String::new() };
    let has_map = command_of(words).get_arguments().any(|argument| argument.get_long() == Some("map"));
    match has_map && !word.starts_with('-') && Path::new(word).exists() {
        true => format!("; to name a map, write '--map {word}'"),
        false => String::new(),
    }
}

/// The (sub)command that the words name.
fn command_of(words: &[String]) -> clap::Command {
    words[1..]
        .iter()
        .fold(Cli::command(), |command, word| command.find_subcommand(word).cloned().unwrap_or(command))
}

/// The parser's message up to its usage section, its lines joined.
fn one_line(message: &str) -> String {
    let lines = message
        .lines()
        .map(str::trim)
        .take_while(|line| !line.starts_with("Usage:") && !line.starts_with("For more information"))
        .filter(|line| !line.is_empty());
    let mut joined = String::new();
    for line in lines {
        let line = line.strip_prefix("error: ").unwrap_or(line);
        let separator = match () {
            () if joined.is_empty() => "",
            () if joined.ends_with(':') || line.starts_with('[') => " ",
            () if line.starts_with(['-', '<']) => ", ",
            () => "; ",
        };
        joined.push_str(separator);
        joined.push_str(line);
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_missing_arguments_are_joined() {
        let message = "error: the following required arguments were not provided:\n  --map <MAP>\n  --out <FILE>\n\n\
            Usage: surefoot run --map <MAP>\n\nFor more information, try '--help'.\n";
        assert_eq!(
            one_line(message),
            "the following required arguments were not provided: --map <MAP>, --out <FILE>"
        );
    }

    #[test]
    fn tips_and_choices_are_kept() {
        let message = "error: unexpected argument '--mapp' found\n\n  tip: a similar argument exists: '--map'\n\nUsage: x";
        assert_eq!(
            one_line(message),
            "unexpected argument '--mapp' found; tip: a similar argument exists: '--map'"
        );
        let message = "error: invalid value 'x' for '<KIND>'\n  [possible values: rooms, maze]\n\nFor more information, try";
        assert_eq!(one_line(message), "invalid value 'x' for '<KIND>' [possible values: rooms, maze]");
    }

    #[test]
    fn the_command_is_found_among_the_arguments() {
        let words = |text: &str| command_named(text.split(' ').map(str::to_string)).join(" ");
        assert_eq!(words("map convert in.map --factor x"), "surefoot map convert");
        assert_eq!(words("nonsense"), "surefoot");
    }
}
