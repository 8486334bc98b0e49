// The JSON documents that pages and server exchange. Only the type checker reads this file: it is
// never served. A test holds it to the server's own description of its API.

export type Theme = "light" | "dark";
export type Options = Record<string, number>;

/** What every request may be answered with instead of what was asked for. */
export interface Refusal {
  error: string;
}

// --- boards

export interface SeatTitle {
  seat: number;
  title: string;
}

/** A move, and what a person points at to make it: cells, directions, words such as "pass". */
export interface LegalMove {
  move: string;
  path: string[];
}

export interface Ply {
  ply: number;
  seat: number;
  text: string;
  path: string[];
}

export interface Outcome {
  winner: number | null;
  returns: number[];
  score: number[] | null;
  reason: string;
}

/** How one step in each direction leads across a picture: right and down. */
export type Directions = Record<string, number[]>;

/** Where moves have led: a position, its picture, and what can be played there. */
export interface BoardDocument {
  game: string;
  title: string;
  options: Options;
  position: string;
  to_move: number | null;
  moves: Ply[];
  legal: LegalMove[];
  directions: Directions;
  svg: string;
  turned: boolean;
  outcome: Outcome | null;
  words: string;
  holdings: string[];
}

export interface PositionDocument extends BoardDocument {
  start: string;
  seats: SeatTitle[];
}

/** A share of the points, and its interval. */
export interface Share {
  value: number;
  low: number;
  high: number;
}

/** A move that strong players played. */
export interface Way {
  move: string;
  images: string[];
  name: string | null;
  games: number;
  played: number;
  few: boolean;
  shares: Share[];
  before: number | null;
  drift: "dropped" | "found" | null;
}

export interface Crossroads {
  name: string | null;
  games: number;
  shares: Share[];
  early_games: number | null;
  ways: Way[];
}

export interface SourcePlayer {
  net: string;
  minutes: number | null;
  simulations: number | null;
}

export interface Source {
  era: "best" | "early";
  games: number;
  players: SourcePlayer[];
}

export interface OpeningsDocument extends PositionDocument {
  openings: Crossroads | null;
  sources: Source[];
  commands: string[];
}

/** What pointing at a path would do. */
export interface PreviewDocument {
  svg: string;
  words: string;
  complete: boolean;
  next: string[][];
}

/** Why nothing can be played by pointing at a path. */
export interface ReasonDocument {
  reason: string;
}

/** Moves to be tried on a board that nobody keeps. */
export interface Trial {
  game: string;
  options: Options;
  start: string;
  moves: string[];
  theme: Theme;
  turned?: boolean;
  live?: boolean;
}

export interface PaletteEntry {
  letter: string;
  words: string;
  colour: string | null;
  svg: string | null;
}

export interface SeatLetter {
  letter: string;
  title: string;
  svg: string;
  holding: string;
}

/** A position that is being set up; `error` says why it cannot be played yet. */
export interface SetupDocument {
  position: string;
  empty: string;
  error: string | null;
  svg: string;
  palette: PaletteEntry[];
  seats: SeatLetter[];
}

export interface Setup {
  game: string;
  options: Options;
  theme: Theme;
  position?: string;
  put?: [cell: string, letter: string];
}

// --- games

/** Somebody who has an account. */
export interface PersonNamed {
  id: string;
  name: string;
}

export interface Sitting extends SeatTitle {
  kind: string;
  name: string;
  left: string | null;
  person: PersonNamed | null;
  rating: number | null;
  rating_after: number | null;
  provisional: boolean;
}

export interface SeatDocument extends Sitting {
  claimed: boolean;
  online: boolean;
  who: string;
  holding: string;
  away: number | null;
}

/** Those who watch a game without a seat. */
export interface Watching {
  count: number;
  names: string[];
}

export interface ClockDocument {
  settings: Record<string, unknown>;
  remaining: (number | null)[];
  running: number | null;
  grace: number;
  now: number;
}

/** Somebody who is to move is not there: in so many milliseconds the others can claim. */
export interface Absence {
  seat: number;
  wait: number;
}

export interface Declined {
  what: "draw" | "takeback";
  seat: number;
  by: number;
}

export interface Offers {
  draw: number | null;
  takeback: number | null;
  rematch: number[];
  declined: Declined[];
}

export interface Remark {
  n: number;
  name: string;
  text: string;
  at: number;
}

/** A game as it stands, for whoever asked. */
/** What strong play made of a start. */
export interface EvenStart {
  games: number;
  shares: number[];
  margin: number;
  moves: string[];
}

export interface GameDocument extends BoardDocument {
  id: string;
  version: number;
  revision: number;
  ply: number;
  prompts: string[];
  seats: SeatDocument[];
  clock: ClockDocument | null;
  offers: Offers;
  rated: boolean;
  result: string | null;
  event: string | null;
  rematch: string | null;
  chat: Remark[];
  gallery: Remark[];
  watching: Watching;
  yours: number[];
  can: string[];
  swap: "may" | "done" | null;
  even: EvenStart | null;
  absent: Absence | null;
  stand_in: string;
  thinking: boolean;
  engine: "ready" | "warming" | null;
  readiness: number | null;
}

export interface PlayerListed {
  kind: string;
  name: string;
}

/** A public game in a few words. */
export interface GameListed {
  id: string;
  game: string;
  title: string;
  state: "playing" | "finished";
  seats: PlayerListed[];
  ply: number;
  updated: number;
}

/** An unfinished game, for somebody who sits there. */
export interface GameHeld {
  id: string;
  game: string;
  title: string;
  seats: Sitting[];
  ply: number;
  to_move: number;
  yours: number[];
  left: number | null;
  running: boolean;
}

export interface NewGame {
  game: string;
  options: Options;
  seats: string[];
  public?: boolean;
  seat?: number;
  clock?: Record<string, unknown>;
  position?: string;
  random?: boolean;
  swap?: boolean;
  even?: boolean;
  rated?: boolean;
}

export interface GameMade {
  id: string;
  url: string;
  secrets: (string | null)[];
  seat: number | null;
}

export interface SecretDocument {
  secret: string;
}

/** The answers that a seat has planned. */
export interface ConditionsDocument {
  seat: number;
  ply: number;
  lines: Ply[][];
}

export interface NewConditions {
  version: number;
  lines: string[][];
}

/** A game at which we sit down, with the secrets that open some seats from now on. */
export interface GameClaimed extends GameDocument {
  secrets: Record<string, string>;
}

/** Somebody was faster: the game as it is now. */
export interface GameConflict extends Refusal {
  game: GameDocument | null;
}

/** The key that a browser subscribes for, to be told when it is somebody's turn. */
export interface SignerDocument {
  key: string;
}

/** What a live connection says. */
export type GameMessage =
  | { type: "game"; game: GameDocument }
  | { type: "error"; error: string; status: number };

// --- lessons and puzzles

/** What moves come to in a step of a course. */
export interface LessonDocument extends PositionDocument {
  done: boolean;
  wrong: boolean;
  feedback: string;
}

/** A puzzle as its page carries it. */
export interface PuzzleDocument {
  game: string;
  title: string;
  number: number;
  count: number;
  goal: string;
  seat: number;
  seats: SeatTitle[];
  turns: number;
  difficulty: string;
  options: Options;
  start: string;
  themes: string[];
}

export interface PuzzleTurn {
  seat: number;
  turn: string;
  board: BoardDocument;
}

/** What became of an answer, and how the game goes on. */
export interface PuzzleVerdict {
  right: boolean;
  solved: boolean;
  words: string;
  line: PuzzleTurn[];
}

// --- people

/** Somebody who is signed in. */
export interface AccountDocument {
  id: string;
  name: string;
  role: "member" | "moderator" | "admin";
}

export interface WhoDocument {
  person: AccountDocument | null;
}

export interface CodesDocument {
  codes: string[];
}

export interface GamesMoved {
  moved: number;
}

export interface PasskeyOptions {
  options: Record<string, unknown>;
}

/** A vacation, during which clocks by days stand still. */
export interface VacationDocument {
  until: number | null;
  left: number;
  year: number;
}

/** What somebody is to you. */
export interface TieDocument {
  followed: boolean;
  blocked: boolean;
}

// --- studies

/** A line of a record; the server adds seat and turn to every move. */
export interface Line {
  comments?: string[];
  moves: LineMove[];
}

/** What a record says of a move beside words; times are milliseconds. */
export interface Annotations {
  mark?: string;
  left?: number;
  spent?: number;
}

export interface LineMove extends Annotations {
  move: string;
  seat?: number | null;
  turn?: number;
  comments?: string[];
  variations?: Line[];
}

/** Body and rim of each seat's pieces. */
export type Inks = string[][];

export interface ReviewedPly {
  turn: string;
  seat: number;
  move: string;
  chances: number[];
  proven: string | null;
  best: string;
  best_chances: number[];
  line: { move: string; seat: number | null }[];
  loss: number;
  mark: string;
  words: string;
}

export interface Review {
  moves: string[];
  plies: ReviewedPly[];
}

/** A study; without an id it is a draft that nobody has kept. */
export interface StudyDocument {
  id: string | null;
  version: number;
  title: string;
  yours: boolean;
  origin: Record<string, unknown>;
  game: string;
  options: Options;
  start: string;
  seats: SeatTitle[];
  inks: Record<string, Inks>;
  frame: Record<string, unknown>;
  line: Line;
  review: Review | null;
}

export interface StudyEdit {
  version: number;
  title: string;
  line: Line;
}

/** How far a film has come; at last its address, or why there is none. */
export interface FilmProgress {
  done: number;
  of: number;
  url: string | null;
  error: string | null;
}

export interface StudyMade {
  id: string;
  url: string;
  secret: string;
}

/** Somebody was faster: the study as it is now. */
export interface StudyConflict extends Refusal {
  study: StudyDocument | null;
}

// --- analysis

export interface Candidate {
  move: string;
  visits: number;
  share: number;
  values: number[];
  chances: number[];
  proven: boolean;
  pv: string[];
}

export interface Solution {
  end: string;
  chances: number[];
  moves: string[];
}

export interface Analysis {
  type: "analysis";
  n: number;
  visits: number;
  seconds: number;
  values: number[];
  chances: number[];
  proven: string | null;
  moves: Candidate[];
  solved: Solution | null;
  spoken: string;
  svg: string;
  done: boolean;
}

/** What the engine says over its connection; `n` is the number of the question. */
export type EngineMessage =
  | Analysis
  | { type: "progress"; n: number; done: number; of: number }
  | { type: "review"; n: number; review: Review }
  | { type: "kept"; n: number }
  | { type: "error"; n: number | null; error: string; status: number };

// --- lobby

/** Somebody who has joined a challenge. */
export interface JoinedDocument {
  name: string;
  bot: boolean;
  entrant: string | null;
  rating: number | null;
  fill: number | null;
  yours: boolean;
}

/** Who wants to play what; the first to join made it. */
export interface ChallengeDocument {
  id: string;
  game: string;
  title: string;
  options: Options;
  setup: string;
  clock: Record<string, unknown> | null;
  rated: boolean;
  seats: number;
  seat: number | null;
  swap: boolean;
  even: boolean;
  audience: "everybody" | "members";
  bots: boolean;
  low: number | null;
  high: number | null;
  quick: boolean;
  to: string | null;
  joined: JoinedDocument[];
  yours: boolean;
  for_you: boolean;
  state: "open" | "begun" | "declined";
  url: string | null;
  created: number;
}

export interface ChallengeMade {
  challenge: ChallengeDocument;
  secret: string | null;
}

/** How many wait to be paired. */
export interface QuickDocument {
  game: string;
  clock: string;
  rated: boolean;
  waiting: number;
}

export interface SeekersDocument {
  people: number;
  words: string;
}

export interface LobbyDocument {
  people: number;
  open: ChallengeDocument[];
  quick: QuickDocument[];
  mine: ChallengeDocument[];
}

/** What to play with whoever comes. */
export interface NewSeek {
  game: string;
  clock: object | null;
  rated: boolean;
}

/** What to play, and with whom. */
export interface NewChallenge extends NewSeek {
  options: Options;
  seat?: number;
  swap: boolean;
  even?: boolean;
  audience: string;
  bots: boolean;
  low?: number;
  high?: number;
  to?: string;
}

// --- tournaments

export interface NewEvent {
  game: string;
  options?: Options;
  title?: string;
  system: "round-robin" | "swiss" | "knockout" | "arena";
  clock: Record<string, unknown>;
  rounds?: number | null;
  minutes?: number | null;
  rated?: boolean;
  starts?: number | null;
  quorum?: number | null;
  levels?: number[];
}

export interface EntrantNamed {
  entrant: string;
  name: string;
}

export interface StandingShown extends EntrantNamed {
  place: number;
  points: number;
  tie_breaks: number[];
  won: number;
  drawn: number;
  lost: number;
  byes: number;
  rating: number | null;
  left: boolean;
}

export interface BoutShown {
  round: number;
  number: number;
  players: EntrantNamed[];
  url: string | null;
  winners: number[] | null;
  absent: number[];
}

export interface EventListed {
  id: string;
  url: string;
  title: string;
  game: string;
  game_title: string;
  options: Options;
  setup: string;
  clock: Record<string, unknown>;
  system: "round-robin" | "swiss" | "knockout" | "arena";
  rounds: number | null;
  minutes: number | null;
  rated: boolean;
  state: "gathering" | "playing" | "over" | "off";
  entrants: number;
  starts: number | null;
  quorum: number | null;
  made_by: string;
  created: number;
  began: number | null;
  ends: number | null;
  finished: number | null;
}

export interface EventShown extends EventListed {
  version: number;
  round: number;
  tie_breaks: string[];
  standings: StandingShown[];
  bouts: BoutShown[];
  you: string | null;
  your_game: string | null;
  can: string[];
}
