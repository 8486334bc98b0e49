"""The course of Skew."""

from skerry.study.goals import Change, Cut, Every, Gain, Play, Refused, Win
from skerry.study.lessons import Course, CourseStep

SMALL = {"side": 3, "pegs": 5}
LAST_PEG = {"side": 3, "pegs": 4}

COURSE = Course(
    game="skew",
    welcome="Pegs in holes, and a push that runs on like falling dominoes. You are First: your "
    "pegs are orange, with a ring on the head. The boards of this course are small, so that you "
    "see everything at a glance; what you learn holds on any board.",
    steps=(
        CourseStep(
            id="board",
            title="A board of holes, and one black peg",
            clauses=("skew.1", "skew.2"),
            text="The board is a hexagon of holes. The black peg in the middle belongs to nobody, "
            "stands upright and never moves. You and your opponent have the same number of pegs, "
            "five each on this board and 24 on the full one, and you take turns. A turn is one "
            "peg: you place it, and you lean it.",
            task="Take the first turn of a game. Choose any hole beside the black peg, then the "
            "way your peg leans.",
            position="3/4/2*2/4/3 0",
            options=SMALL,
            goals=(Play(),),
            right="That is a whole turn: one hole, one lean. Now it would be Second's.",
        ),
        CourseStep(
            id="touch",
            title="A peg needs company",
            clauses=("skew.3",),
            text="A new peg must touch the black peg, or a peg of your opponent. So the game "
            "grows outwards from the middle, and every peg opens holes for the other seat.",
            task="Place a peg that touches Second's blue peg but not the black one.",
            position="3/4/1a*2/4/3 0",
            options=SMALL,
            goals=(Play("b1", "c1", "d1"),),
            right="Second's peg let you in there. Yours will do the same for Second.",
            hint="Allowed, but that hole touches the black peg. Look at the far side of the blue "
            "one.",
        ),
        CourseStep(
            id="alone",
            title="Your own pegs do not count",
            clauses=("skew.3",),
            text="Touching a peg of your own is fine, but it is not enough. Without the black peg "
            "or an enemy beside it, a hole is closed to you.",
            task="Try it: put a peg into c5, beside your own peg on c4.",
            position="3/4/1a*D1/4/3 0",
            options=SMALL,
            goals=(Refused("c5"),),
            right="For Second, c5 is open: your peg is there to be touched.",
            hint="That hole is open to you. The one to try is c5, at the right end of the middle "
            "row.",
        ),
        CourseStep(
            id="lean",
            title="Six ways to lean",
            clauses=("skew.4",),
            text="A peg leans in one of six directions, and the choice is free. It may lean at a "
            "peg, at an empty hole, even out over the edge.",
            task="Lean a peg over the edge of the board.",
            position="3/4/1a*2/4/3 0",
            options=SMALL,
            goals=(Play("b1-w", "b1-sw", "c1-w", "c1-nw", "c1-sw", "d1-w", "d1-nw"),),
            right="Allowed. It points at nothing now, but a lean can still be changed, as you "
            "will see next.",
            hint="That one leans at a hole of the board. Choose a hole on the rim, b1, c1 or d1, "
            "and lean the peg outwards.",
        ),
        CourseStep(
            id="spread",
            title="The lean runs on",
            clauses=("skew.5",),
            text="Here is the heart of the game. When you lean a peg, the lean spreads down its "
            "line: the next peg takes it on, then the next, yours and your opponent's alike. It "
            "passes through the black peg, which itself stays upright.",
            task="Turn three pegs with one move.",
            position="3/4/1z*Ww/4/3 0",
            options=SMALL,
            goals=(Change(3),),
            right="One push from c1, and the whole row leans east. The black peg let it through.",
            hint="Not three yet. Stand at one end of the middle row and lean along it.",
            hints={
                "c1": "The right hole. Now lean it along the row, to the east.",
            },
        ),
        CourseStep(
            id="stop",
            title="What stops a lean",
            clauses=("skew.5",),
            text="A lean stops at an empty hole, at the edge, and at a peg that leans this way "
            "already. Pegs beyond that point keep their lean.",
            task="Play c1 leaning east and watch c5, which leans north-west: c4 already leans "
            "east, so the push ends there.",
            position="3/4/1z*Dw/4/3 0",
            options=SMALL,
            goals=(Play("c1-e"),),
            right="c2 turned; c4 was leaning east already and stopped the push, so c5 did not "
            "move.",
            hint="Place the peg on c1, at the left end of the middle row, and lean it east.",
        ),
        CourseStep(
            id="score",
            title="Lean at the black peg, and score",
            clauses=("skew.7",),
            text="Only pegs that lead to the black peg score. The plainest way is to stand next "
            "to it and lean straight at it. A ring marks a peg that scores as things stand, and "
            "the numbers below the board count them.",
            task="Place a peg that scores.",
            position="3/4/2*2/4/3 0",
            options=SMALL,
            overlay="standing",
            goals=(Gain(1),),
            right="Your peg leans straight at the black one: one point, until somebody turns it.",
            hint="That peg leans past the black one. From the hole you choose, lean it at the "
            "middle of the board.",
        ),
        CourseStep(
            id="chain",
            title="Chains",
            clauses=("skew.7",),
            text="A peg that leans straight at a scoring peg scores as well, and so on outwards. "
            "Colours do not matter in a chain: you may lean on your opponent. But each seat "
            "counts only its own pegs. And remember: whatever you lean at turns your way.",
            task="Second's peg on c2 scores. Lean a peg at it so that both score.",
            position="3/4/1d*2/4/3 0",
            options=SMALL,
            overlay="standing",
            goals=(Play("c1-e"),),
            right="c2 leaned east already, so your push did not turn it: both score, one each.",
            hint="c2 would have to go on leaning at the black peg. From which hole is your lean "
            "the same as its own?",
            hints={
                "d1-se": "Your lean turned c2 away from the black peg, and now neither scores. "
                "From which hole is your lean the same as c2's?",
                "b1-ne": "Your lean turned c2 away from the black peg, and now neither scores. "
                "From which hole is your lean the same as c2's?",
            },
        ),
        CourseStep(
            id="gap",
            title="Mind the gap",
            clauses=("skew.7",),
            text="Your peg on d1 leans at an empty hole and is worth nothing. A peg in that hole "
            "would carry it: chains grow inwards as well.",
            task="Score two pegs with one move.",
            position="3/X3/2*2/3w/3 0",
            options=SMALL,
            overlay="standing",
            goals=(Gain(2),),
            right="The new peg leans at the black one, and d1 leans at the new peg: two at once.",
            hint="d1 does not score yet. What hole does it lean at?",
        ),
        CourseStep(
            id="end",
            title="The last peg",
            clauses=("skew.6", "skew.7"),
            text="When all pegs are placed, the game is over and the scoring pegs are counted. "
            "Nothing counts before that: a lead in the middle of the game is only a lead.",
            task="Second has no peg left, and leads 2-0. Yours is the last one. Win.",
            position="3/2E1/z1*aa/Dd1Z/3 0",
            options=LAST_PEG,
            overlay="standing",
            goals=(Win(),),
            right="You scored, and your push through the black peg turned both of Second's away. "
            "1-0.",
            hint="Scoring once is not enough: Second's two must go too. They stand in the middle "
            "row.",
        ),
        CourseStep(
            id="pass",
            title="Nothing to place",
            clauses=("skew.6",),
            text="A seat that has no peg left, or no hole to put one in, passes; nobody else may. "
            "When neither seat can place, the game ends.",
            task="Your pegs are all on the board and Second still has one. Pass.",
            position="3/1xX1/1D*a1/1eE1/1W1 0",
            options=LAST_PEG,
            overlay="standing",
            goals=(Play("pass"),),
            right="Now Second places the last peg, and then the pegs are counted.",
        ),
        CourseStep(
            id="tie",
            title="A tie is not the end",
            clauses=("skew.8",),
            text="If both seats score the same, look at the pegs that touch the black peg but do "
            "not score: each of them is leaned straight at it, without any push, and everything "
            "is counted again. If that is equal too, the game is a draw.",
            task="You cannot get ahead with your last peg. But you can win the recount. How?",
            position="2z/2zA/1A*a1/3A/2w 0",
            options=LAST_PEG,
            overlay="standing",
            goals=(Win(),),
            right="1-1, a tie. In the recount your pegs around the black one stand up for you: "
            "3-2.",
            hint="Even the count first: turn Second's chain away from the black peg, straight "
            "through it, and score once yourself.",
        ),
        CourseStep(
            id="three",
            title="Goal: three at once",
            text="Now you know all the rules. The goals that follow are for getting used to them.",
            task="Score three pegs in one move.",
            position="3/4/2*2/1zAw/1D1 0",
            options=SMALL,
            overlay="standing",
            goals=(Gain(3),),
            right="a3 turns b3 towards the black peg and leans on it, and a2 was waiting for a3.",
            hint="Not three yet. b3 stands beside the black peg and leans past it: what would "
            "turn it the right way?",
        ),
        CourseStep(
            id="cut",
            title="Goal: cut the chain",
            text="A push goes through the black peg. So every peg beside it can be struck from "
            "the far side.",
            task="Second scores two. Take both away and score yourself, in one move.",
            position="xE1/1xW1/1w*E1/4/3 0",
            options=SMALL,
            overlay="standing",
            goals=(Every(Cut(2), Gain(1)),),
            right="Your peg leans at the black one, and behind it d2 turned away: its chain is "
            "gone.",
            hint="d2 carries the chain. Strike it from the other side of the black peg.",
        ),
        CourseStep(
            id="domino",
            title="Goal: dominoes",
            text="Rows through the middle are the longest, and the black peg never stops a push.",
            task="Turn five pegs with one move.",
            position="4/5/6/1zE*wAx/2x1X1/5/4 0",
            options={"side": 4, "pegs": 12},
            overlay="standing",
            goals=(Change(5),),
            right="All five turned. The three pegs left of the black one now score, and two are "
            "yours.",
            hint="Fewer than five. Where does the longest line of pegs begin, with none of them "
            "leaning your way yet?",
        ),
        CourseStep(
            id="two",
            title="Goal: think ahead",
            text="You have two pegs left, Second has one. Whatever you do, Second will answer.",
            task="Find the move after which Second cannot stop you, and then win.",
            position="3/Zxw1/2*Aa/4/3 0",
            options=LAST_PEG,
            overlay="standing",
            goals=(Play("c2-e"), Win()),
            replies=("b2-ne",),
            right="Your first peg turned the row and scored; your last one struck d2 from behind.",
            hint="Second has an answer to that. Look for a peg that scores and, on the far side "
            "of the black one, turns what stands there.",
        ),
    ),
    farewell="Now win your first game: a small board, five pegs each, and an opponent of level 1, "
    "who makes mistakes. You are Second this time and have the last peg. Keep the far side of the "
    "black peg in mind.",
    friendly=SMALL,
    seat=1,
)
