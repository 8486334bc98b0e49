"""The course of X, designed by Mark Steere (August 2009, marksteeregames.com)."""

from skerry.study.goals import Cut, Every, Gain, Play, Refused, Win
from skerry.study.lessons import Course, CourseStep

SMALL = {"size": 4}

COURSE = Course(
    game="x",
    welcome="Three seats, four corners, and a winner who may own none of them. You are Red; "
    "Yellow and Green play too, in that order. Mark Steere designed the game in August 2009 "
    "(marksteeregames.com).",
    steps=(
        CourseStep(
            id="board",
            title="A diamond with four corners",
            clauses=("x.1", "x.2"),
            text="The board is a diamond of hexes, with four sides and four corners: left, top, "
            "right and bottom. Red, Yellow and Green take turns. On your turn you put one stone "
            "on any empty hex. It stays there: stones never move and are never taken off.",
            task="Put your first stone wherever you like.",
            position="4/4/4/4 r",
            options=SMALL,
            goals=(Play(),),
            right="That is all there is to a turn. The rest is what stones come to together.",
        ),
        CourseStep(
            id="empty",
            title="Only on empty hexes",
            clauses=("x.2",),
            text="There is one thing you cannot do.",
            task="Try to put your stone on Yellow's, on b2.",
            position="4/2r1/1yg1/4 r",
            options=SMALL,
            goals=(Refused("b2"),),
            right="Whatever is taken stays taken, until the end.",
            hint="That hex was free. The one to try is b2, with the yellow stone.",
        ),
        CourseStep(
            id="path",
            title="Cut off a corner",
            clauses=("x.3",),
            text="Two sides meet in every corner. A connected path of your stones from one of "
            "them to the other cuts the corner off, and then it is yours as things stand. A stone "
            "beside the corner shows whose it is.",
            task="Your stones on c1 and a3 touch the two sides of the left corner. Join them.",
            position="2y1/r1yg/3g/2r1 r",
            options=SMALL,
            overlay="standing",
            goals=(Play("b2"),),
            right="c1, b2, a3: a path from side to side. The left corner is yours, for now.",
            hint="Not joined yet. One hex touches both c1 and a3.",
        ),
        CourseStep(
            id="corner",
            title="The shortest path",
            clauses=("x.3",),
            text="A corner hex lies on both of its sides. So a single stone on it is a path "
            "already, the shortest there is.",
            task="Take a corner with one stone.",
            position="4/1yr1/yrg1/1g2 r",
            options=SMALL,
            overlay="standing",
            goals=(Gain(1),),
            right="One stone, one corner. But look what can happen to it in the next step.",
            hint="No corner yet. The corner hexes are a1, d1, d4 and a4.",
        ),
        CourseStep(
            id="around",
            title="The outermost path counts",
            clauses=("x.3",),
            text="If several paths cut off the same corner, it belongs to the outermost one, the "
            "one that encloses all the others. So a corner can be taken away by going around it.",
            task="Yellow sits in the left corner, on a1. Go around and take it.",
            position="1gr1/2g1/1y2/yr2 r",
            options=SMALL,
            overlay="standing",
            goals=(Every(Gain(1), Cut(1)),),
            right="a2 and b1 enclose a1. Yellow's stone is still there, but the corner is yours.",
            hint="Yellow still has the left corner. You have a2 on one side of it: which hex "
            "touches a2 and lies on the other side?",
        ),
        CourseStep(
            id="settled",
            title="When the game ends",
            clauses=("x.4",),
            text="A corner is settled when only one seat could still own it, even if that seat "
            "got every empty hex. When all four are settled the game is over, empty hexes or not: "
            "nothing could change any more.",
            task="End the game with one stone, and win it.",
            position="r2y/1r1y/g2y/gg1r r",
            options=SMALL,
            overlay="standing",
            goals=(Win(),),
            right="Your path from end to end left no way for the others. All corners are settled, "
            "and all are yours: 4-0-0.",
            hint="Corners are still open after that. Join d1, c2 and a4 into one path.",
        ),
        CourseStep(
            id="most",
            title="The most corners win",
            clauses=("x.5",),
            text="When it is over, the corners are counted. The highest number that no other seat "
            "has wins. With 4-0-0, 3-1-0 or 2-1-1 that is simply the most.",
            task="You have two corners and Green has one. The last one is open: win.",
            position="1y1g/yggg/rr2/yyrr r",
            options=SMALL,
            overlay="standing",
            goals=(Win(),),
            right="Three for you, one for Green, none for Yellow: 3-1-0.",
            hint="The corner that is still open is the top one.",
        ),
        CourseStep(
            id="nothing",
            title="The one with nothing",
            clauses=("x.5",),
            text="A number that two seats share does not count. If Yellow and Green have two "
            "corners each, both are struck out, and your zero is the highest number left. You win "
            "with nothing at all.",
            task="Yellow and Green have two corners each just now. Make sure that it stays so.",
            position="y1y1/ggyy/1rgr/1rrg r",
            options=SMALL,
            overlay="standing",
            goals=(Win(),),
            right="0-2-2: the other two share their number, so your zero is the one that counts.",
            hint="The top corner can still change hands, and then somebody has a number that "
            "nobody shares. Which hex decides it?",
        ),
        CourseStep(
            id="no-draw",
            title="There is always a winner",
            clauses=("x.6",),
            text="Four corners among three seats: 4-0-0, 3-1-0, 2-1-1 or 2-2-0. In each of them "
            "exactly one number is the highest that nobody shares. So there are no draws, ever.",
            task="Green is alone with two corners, and a stone of yours can change that. Win.",
            position="1ry1/rryy/g1yg/g1rg r",
            options=SMALL,
            overlay="standing",
            goals=(Win(),),
            right="One corner moved from Green to you, and 1-1-2 became 2-1-1.",
            hint="Green keeps two corners, or may get them back. Which stone takes one for good?",
        ),
        CourseStep(
            id="two-corners",
            title="Goal: two corners at once",
            text="You know all the rules now. These goals are for getting used to them.",
            task="Take two corners with one stone.",
            position="gr2/ggr1/1yr1/y1y1 r",
            options=SMALL,
            overlay="standing",
            goals=(Gain(2),),
            right="Your chain now runs from d2 to a4. It cuts off the right corner, and a4 is "
            "itself the bottom one.",
            hint="Not two. Your chain runs down from the upper right side. Where could it end on "
            "two sides at once?",
        ),
        CourseStep(
            id="steal",
            title="Goal: take one away",
            text="Taking a corner from a rival counts twice: one more for you, one less there.",
            task="Take a corner from Green or Yellow with one stone.",
            position="1ryg/3r/1rgg/y1y1 r",
            options=SMALL,
            overlay="standing",
            goals=(Every(Gain(1), Cut(1)),),
            right="Around the outside, as before.",
            hint="No rival has lost a corner. Look for two of your chains that one stone would "
            "join around a corner.",
        ),
        CourseStep(
            id="zero",
            title="Goal: win with nothing",
            text="Count before you place: it is not always your corners that matter.",
            task="Win this game without a corner.",
            position="gygg/r2r/yr1r/1ygy r",
            options=SMALL,
            overlay="standing",
            goals=(Win(),),
            right="0-2-2. Nobody noticed you, and you won.",
            hint="The others must keep two each. What would let one of them get a third, or you "
            "get one?",
        ),
        CourseStep(
            id="ahead",
            title="Goal: think ahead",
            text="Two rivals answer before you move again, so a single way through is quickly "
            "closed.",
            task="Find the stone after which nobody can stop you, and then win.",
            position="ry2/1r2/g1r1/gygy r",
            options=SMALL,
            overlay="standing",
            goals=(Play("b4"), Win()),
            replies=("b2 c3",),
            right="The path from d1 to b4 had the right corner for good, and c1 kept the top one: "
            "2-1-1.",
            hint="Yellow and Green together can stop that. Which stone makes the right corner "
            "yours for good?",
        ),
        CourseStep(
            id="far-ahead",
            title="Goal: think further",
            text="Here nothing of yours looks like winning yet.",
            task="Find the stone after which nobody can stop you, and then win.",
            position="yy1g/g1yg/r1r1/2r1 r",
            options=SMALL,
            overlay="standing",
            goals=(Play("b4"), Win()),
            replies=("a1 b2",),
            right="The bottom corner was yours at once, and there were two ways around the left "
            "one. Your rivals could not close both.",
            hint="Yellow and Green can stop that. Which corner can you make sure of, and keep two "
            "ways for the other?",
        ),
    ),
    farewell="Now win your first game: a board of size 5 and two opponents of level 1, each "
    "playing for itself. Watch who has a number of corners that nobody shares: it may be you, with "
    "none.",
    friendly={"size": 5},
)
