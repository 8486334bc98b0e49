"""The course of Skirt, designed by Kanare Kato."""

from skerry.study.goals import Add, Every, Hold, Play, Refused, Win
from skerry.study.lessons import Course, CourseStep

SMALL = {"side": 4}

COURSE = Course(
    game="skirt",
    welcome="A race to join the sides of a hexagon, in which every piece comes in from the rim. "
    "You are White. The game was designed by Kanare Kato.",
    steps=(
        CourseStep(
            id="board",
            title="A rim with six sides",
            clauses=("skirt.1", "skirt.2"),
            text="The outermost ring, in a darker shade, is the outer area; everything inside is "
            "the inner area. The ring has six sides. A corner belongs to both sides that meet in "
            "it. White opens the game with a single piece, anywhere on the ring.",
            task="Open on a corner, so that your first piece counts for two sides.",
            position="4/5/6/7/6/5/4 w - 0",
            options=SMALL,
            goals=(Play("a1", "a4", "d1", "d7", "g1", "g4"),),
            right="One piece, two sides. Your opening turn ends here.",
            hint="That piece touches one side only. The corners are a1, a4, d1, d7, g1 and g4.",
        ),
        CourseStep(
            id="opening",
            title="Not in the middle",
            clauses=("skirt.2",),
            text="The first piece of the game has nothing to come in from, so it cannot be an "
            "inner one.",
            task="Try to open in the very middle, on d4.",
            position="4/5/6/7/6/5/4 w - 0",
            options=SMALL,
            goals=(Refused("d4"),),
            right="The middle has to wait until you have a piece on the rim.",
            hint="The ring is open to you. The hex to try is d4, in the very middle.",
        ),
        CourseStep(
            id="turn",
            title="Two pieces a turn",
            clauses=("skirt.3",),
            text="From now on a turn has two parts. First you place a piece on the ring. Then "
            "that piece sends a second one inwards, along a straight line.",
            task="Take a whole turn: a piece on the ring, then one inside.",
            position="1b2/5/3b2/7/6/5/1w2 w - 0",
            options=SMALL,
            goals=(Add(2),),
            right="One from the rim, one inside: that is the usual turn.",
            hint="You left out the outer piece. Begin on the ring this time.",
        ),
        CourseStep(
            id="inner",
            title="Or just one, inside",
            clauses=("skirt.3",),
            text="You may leave out the outer piece and place only an inner one. Then any of your "
            "pieces that are on the ring already may send it.",
            task="Place an inner piece from a2, and nothing else.",
            position="1b2/5/3b2/7/6/5/1w2 w - 0",
            options=SMALL,
            overlay="focus:a2",
            goals=(Add(1),),
            right="One piece, and your turn is over. Use it when the hex matters more than the "
            "rim.",
            hint="You began on the ring, so a second piece followed. Point at one of the marked "
            "hexes right away.",
        ),
        CourseStep(
            id="reach",
            title="Straight lines only",
            clauses=("skirt.4",),
            text="An outer piece looks inwards along straight lines: a corner has one, every "
            "other hex of the ring has two. It reaches the empty inner hexes on them. Your piece "
            "on a3 has just been placed, and the dots show what it reaches.",
            task="Try to put the second piece on d4, which is on none of its lines.",
            position="1b2/5/3b2/7/6/5/1ww1 w a3 0",
            options=SMALL,
            overlay="focus:a3",
            goals=(Refused("d4"),),
            right="No line, no piece. And a2 cannot help: the second piece comes from the one "
            "just placed.",
            hint="That hex is in reach. The one to try is d4, in the very middle.",
        ),
        CourseStep(
            id="blocked",
            title="A line ends at a piece",
            clauses=("skirt.4",),
            text="Reach goes as far as the first piece in the way, whatever its colour.",
            task="Black stands on d3. Try to reach e2, behind it.",
            position="1b2/5/3b2/2b4/6/5/1ww1 w a3 0",
            options=SMALL,
            overlay="focus:a3",
            goals=(Refused("e2"),),
            right="You cannot look past a piece that stands out on your line.",
            hint="That hex is in reach. The one to try is e2, behind the black piece on d3.",
        ),
        CourseStep(
            id="jump",
            title="The jump",
            clauses=("skirt.4",),
            text="There is one exception, and it is the spice of the game. If the very first hex "
            "of a line is taken, you jump: over that piece and over all that follow it without a "
            "gap, of either colour. Then you reach the empty hexes beyond.",
            task="Place on a3, where b3 and c3 are taken, and jump over both.",
            position="b2w/5/6/3b3/2w3/2b2/4 w - 0",
            options=SMALL,
            goals=(Play("a3-d3", "a3-e2"),),
            right="Over two pieces in one go. A wall right at the rim is no wall at all.",
            hint="No jump yet. Put the outer piece on a3, then go up and to the left, beyond c3.",
        ),
        CourseStep(
            id="once",
            title="One jump, never two",
            clauses=("skirt.4",),
            text="After a jump the next piece ends the line for good.",
            task="a3 jumps over b3. Try to go on over d3, to e2.",
            position="b2w/5/6/2b4/6/2b2/2w1 w a3 0",
            options=SMALL,
            overlay="focus:a3",
            goals=(Refused("e2"),),
            right="Only c3 was left on that line.",
            hint="That hex is in reach. The one to try is e2, behind the black piece on d3.",
        ),
        CourseStep(
            id="nothing",
            title="Nothing in reach",
            clauses=("skirt.5",),
            text="Sometimes an outer piece reaches nothing at all. It may be placed even so; your "
            "turn then ends with it.",
            task="Find a corner from which the whole line is taken, and place a piece there.",
            position="b2/2b1/2w1w/1b2/3 w - 0",
            options={"side": 3},
            goals=(Every(Play("a1", "e3"), Add(1)),),
            right="b2, c3 and d3 fill the only line of that corner, so no second piece follows.",
            hint="That piece had somewhere to look. A corner has one line only: which is full?",
        ),
        CourseStep(
            id="pass",
            title="No passing",
            clauses=("skirt.6",),
            text="As long as you can place anything, you must. Only a seat without a single "
            "placement passes, and if both seats have to pass in a row the game is a draw. That "
            "hardly ever happens.",
            task="Try to pass.",
            position="1b2/5/3b2/7/6/5/1w2 w - 0",
            options=SMALL,
            goals=(Refused("pass"),),
            right="Every turn changes the board.",
            hint="A fine turn, but here you were to pass.",
        ),
        CourseStep(
            id="opposite",
            title="Win: two opposite sides",
            clauses=("skirt.7",),
            text="You win the moment one connected group of yours touches two opposite sides. "
            "Your pieces stand on the bottom side and climb to e3.",
            task="Join the bottom side with the top side.",
            position="b3/1b3/2w2b/2bw3/2wb2/2w2/1w2 w - 0",
            options=SMALL,
            overlay="standing",
            goals=(Win(),),
            right="An unbroken line from bottom to top. You won.",
            hint="The line from the bottom ends on e3. Two pieces are missing: one on the top "
            "side, and one between it and e3.",
        ),
        CourseStep(
            id="alternate",
            title="Win: three alternate sides",
            clauses=("skirt.7",),
            text="There is another way. Three sides of which no two are neighbours will do as "
            "well: bottom, upper left and upper right; or top, lower left and lower right.",
            task="Your group joins the bottom and the upper left side. Reach the third one.",
            position="4/1b3/ww4/2wwwb1/2w1b1/2wb1/1w2 w - 0",
            options=SMALL,
            overlay="standing",
            goals=(Win(),),
            right="Bottom, upper left, upper right: a star, and a win.",
            hint="The third side is the upper right one, from g4 down to d7. From there, an inner "
            "piece has to meet d5.",
        ),
        CourseStep(
            id="at-once",
            title="Won is won",
            clauses=("skirt.7",),
            text="The win is immediate. If the outer piece of your turn makes the connection, the "
            "inner one is not played any more.",
            task="Win with a single piece.",
            position="b3/1b1w1/2bw2/2bw2b/2wb2/2w2/1w2 w - 0",
            options=SMALL,
            overlay="standing",
            goals=(Every(Win(), Add(1)),),
            right="The outer piece touches both your group and the top side. The game is over.",
            hint="Your group has climbed to f4, right below the top side. One piece on the rim is "
            "enough.",
        ),
        CourseStep(
            id="leap",
            title="Goal: connect with a jump",
            text="You know all the rules now. These goals are for getting used to them.",
            task="Win with one piece that jumps over your own.",
            position="3w/3w1/2bw2/2b1b2/2wb2/2w2/bw2 w - 0",
            options=SMALL,
            overlay="standing",
            goals=(Win(),),
            right="From g4 over f4 and e4, straight into the gap.",
            hint="Both halves of your line end beside d4. Which of your outer pieces looks at d4, "
            "over a run of pieces?",
        ),
        CourseStep(
            id="hold",
            title="Goal: hold the line",
            text="Black's row reaches from the right rim almost to the left one. Next turn it "
            "would be complete.",
            task="Place so that Black cannot win with the next turn.",
            position="w1b1/1w1w1/ww4/1b1bbbb/6/5/w2b w - 0",
            options=SMALL,
            overlay="standing",
            goals=(Hold(),),
            right="The gap is yours, and Black has nothing right away.",
            hint="Black would have won with the next turn. There is one hex that Black needs.",
        ),
        CourseStep(
            id="fork",
            title="Goal: two ways at once",
            text="A threat can be stopped. Two threats cannot.",
            task="Find the turn after which Black cannot stop you, and then win.",
            position="1bb1/2b2/3b2/1b4w/www2w/5/b3 w - 0",
            options=SMALL,
            overlay="standing",
            goals=(Play("b5-b4"), Win()),
            replies=("a2-c4",),
            right="Black closed c4, so you took b3: your groups meet from the left rim to the "
            "right.",
            hint="Black can stop that. Bring a piece from the right so near to c3 that two hexes "
            "would join them.",
        ),
        CourseStep(
            id="bridge",
            title="Goal: from rim to rim",
            text="Your pieces are scattered, but they look at each other.",
            task="Find the turn after which Black cannot stop you, and then win.",
            position="2b1/3b1/w1bw1w/4w2/6/bbbww/2w1 w - 0",
            options=SMALL,
            overlay="standing",
            goals=(Play("g2-f3"), Win()),
            replies=("c6-c4",),
            right="Two groups that only needed each other: one hex joined top and bottom.",
            hint="Black can stop that. Your group around d5 is near the bottom in two ways "
            "already; what does it lack at the top?",
        ),
    ),
    farewell="Now win your first game: a board of side 4 and an opponent of level 1. You sit "
    "second, as Black, which is the stronger seat on small boards. Take hexes that work for two "
    "plans.",
    friendly=SMALL,
    seat=1,
)
