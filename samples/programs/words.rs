use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::io::{self, BufRead};
use std::rc::Rc;

#[derive(Debug, Clone, PartialEq)]
enum Value {
    Null,
    Bool(bool),
    Number(f64),
    Text(Rc<str>),
    List(Vec<Value>),
    Map(BTreeMap<String, Value>),
}

#[derive(Debug)]
enum Error {
    End,
    Unexpected(char, usize),
    Number(std::num::ParseFloatError),
}

impl From<std::num::ParseFloatError> for Error {
    fn from(e: std::num::ParseFloatError) -> Self {
        Error::Number(e)
    }
}

struct Parser<I: Iterator<Item = (usize, char)>> {
    input: std::iter::Peekable<I>,
}

impl<I: Iterator<Item = (usize, char)>> Parser<I> {
    fn space(&mut self) {
        while self.input.next_if(|(_, c)| c.is_whitespace()).is_some() {}
    }

    fn value(&mut self) -> Result<Value, Error> {
        self.space();
        let (at, c) = *self.input.peek().ok_or(Error::End)?;
        match c {
            '[' => self.list(),
            '{' => self.map(),
            '"' => Ok(Value::Text(self.string()?.into())),
            '-' | '0'..='9' => {
                let mut s = String::new();
                while let Some((_, c)) = self.input.next_if(|(_, c)| "+-.eE0123456789".contains(*c)) {
                    s.push(c);
                }
                Ok(Value::Number(s.parse()?))
            }
            'a'..='z' => {
                let mut s = String::new();
                while let Some((_, c)) = self.input.next_if(|(_, c)| c.is_alphabetic()) {
                    s.push(c);
                }
                match s.as_str() {
                    "true" => Ok(Value::Bool(true)),
                    "false" => Ok(Value::Bool(false)),
                    "null" => Ok(Value::Null),
                    _ => Err(Error::Unexpected(c, at)),
                }
            }
            _ => Err(Error::Unexpected(c, at)),
        }
    }

    fn string(&mut self) -> Result<String, Error> {
        self.input.next();
        let mut s = String::new();
        loop {
            match self.input.next().ok_or(Error::End)? {
                (_, '"') => return Ok(s),
                (_, '\\') => s.push(self.input.next().ok_or(Error::End)?.1),
                (_, c) => s.push(c),
            }
        }
    }

    fn list(&mut self) -> Result<Value, Error> {
        self.input.next();
        let mut v = vec![];
        loop {
            self.space();
            match self.input.peek().ok_or(Error::End)?.1 {
                ']' => return self.input.next().map(|_| Value::List(v)).ok_or(Error::End),
                ',' => drop(self.input.next()),
                _ => v.push(self.value()?),
            }
        }
    }

    fn map(&mut self) -> Result<Value, Error> {
        self.input.next();
        let mut v = BTreeMap::new();
        loop {
            self.space();
            match *self.input.peek().ok_or(Error::End)? {
                (_, '}') => return self.input.next().map(|_| Value::Map(v)).ok_or(Error::End),
                (_, ',') => drop(self.input.next()),
                (_, '"') => {
                    let key = self.string()?;
                    self.space();
                    match self.input.next().ok_or(Error::End)? {
                        (_, ':') => drop(v.insert(key, self.value()?)),
                        (at, c) => return Err(Error::Unexpected(c, at)),
                    }
                }
                (at, c) => return Err(Error::Unexpected(c, at)),
            }
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Null => f.write_str("null"),
            Value::Bool(b) => write!(f, "{b}"),
            Value::Number(n) => write!(f, "{n}"),
            Value::Text(t) => write!(f, "{t:?}"),
            Value::List(v) => f.debug_list().entries(v.iter().map(|x| x.to_string())).finish(),
            Value::Map(m) => f.debug_map().entries(m.iter().map(|(k, x)| (k, x.to_string()))).finish(),
        }
    }
}

fn main() {
    let mut kinds: HashMap<std::mem::Discriminant<Value>, usize> = HashMap::new();
    let mut all: Vec<Value> = io::stdin()
        .lock()
        .lines()
        .map_while(Result::ok)
        .filter_map(|l| Parser { input: l.char_indices().peekable() }.value().ok())
        .inspect(|v| *kinds.entry(std::mem::discriminant(v)).or_default() += 1)
        .collect();
    all.sort_by(|a, b| a.to_string().cmp(&b.to_string()));
    for v in &all {
        println!("{v} {v:?}");
    }
    println!("{:?}", kinds.values().collect::<Vec<_>>());
}
