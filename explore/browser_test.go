package explore_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"kifu/explore"
	"kifu/kit/browser"
	"kifu/kit/slow"
)

// patience is how long a test waits for what must come: long, for machines under load.
const patience = time.Minute

// until waits for an expression of JavaScript to have a value.
func until(t *testing.T, p *browser.Page, expression, want string) {
	t.Helper()
	got := ""
	for begun := time.Now(); time.Since(begun) < patience; {
		if got = p.Eval(expression); got == want {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Errorf("%s is %q, want %q", expression, got, want)
}

// visit serves the data of tests and opens a view of them, in a window of a desk's size unless it
// is asked for narrow. At the end of the test its console must have no errors.
func visit(t *testing.T, view string, narrow bool) (p *browser.Page, at string) {
	t.Helper()
	at = serve(t, data(t), explore.Options{})
	return tab(t, at+view, narrow), at
}

// tab opens an address in a browser of its own.
func tab(t *testing.T, address string, narrow bool) *browser.Page {
	t.Helper()
	p := browser.OpenAddress(t, address)
	t.Cleanup(func() {
		if wrong := p.Errors(); len(wrong) > 0 {
			t.Errorf("the console has errors: %s", strings.Join(wrong, "; "))
		}
	})
	if narrow {
		p.Size(400, 850, "light")
	} else {
		p.Size(1280, 1100, "light")
	}
	return p
}

// says, counts and value are expressions of what an element shows, how many there are, and what
// a part of the address is.
func says(selector string) string   { return "document.querySelector(`" + selector + "`)?.textContent" }
func counts(selector string) string { return "document.querySelectorAll(`" + selector + "`).length" }
func value(name string) string      { return "new URL(location).searchParams.get('" + name + "')" }

// picture keeps a picture of the page in the folder PICTURES, if there is one.
func picture(p *browser.Page, name string) {
	if dir := os.Getenv("PICTURES"); dir != "" {
		p.Picture(filepath.Join(dir, name+".png"))
	}
}

// TestBrowser opens every view in a browser, light, dark and narrow: nothing on the console,
// no text too faint, nothing wider than a phone, no name that acts.
func TestBrowser(t *testing.T) {
	slow.Test(t, "a browser")
	p, at := visit(t, "", false)
	for name, view := range map[string]string{
		"home": "", "curves": "curves?on=labels&when=king_safety+%3E%3D+30&when=king_safety+%3C%3D+-30&least=30&from=-25&to=25",
		"positions": "positions?on=labels&where=phase+%3C%3D+8&order=king_safety", "position": "position?on=labels&game=3&ply=31",
		"games": "games", "game": "game?on=games&id=3&ply=12", "hostile-games": "games?on=evil", "hostile-game": "game?on=evil", "hostile-openings": "openings?on=evil",
		"hostile-players": "players?on=evil&name=*", "hostile-table": "results?on=evil", "openings": "openings?line=e2e4+c7c5", "players": "players?name=Anderssen*&name=M*", "player": "players?name=Anderssen*",
		"endings": "endings?on=labels&least=2", "endings-none": "endings?on=positions&least=999",
		"mistakes": "mistakes?on=labels&least=60", "mistakes-records": "mistakes?on=evil&by=player",
		"sql": "sql?q=SELECT+result%2C+count(*)+FROM+games+GROUP+BY+ALL", "wrong": "curves?when=king_safty+%3E+0",
	} {
		for _, size := range []struct {
			width, height int64
			scheme        string
		}{{1280, 900, "light"}, {1280, 900, "dark"}, {400, 850, "light"}} {
			p.Size(size.width, size.height, size.scheme)
			if size.scheme == "light" { // in the dark the same page, as it was opened
				p.Go(at + view)
			}
			until(t, p, "[...document.querySelectorAll('.plot')].every(b => b.querySelector('canvas'))", "true")
			until(t, p, "[...document.images].filter(i => i.loading !== 'lazy').every(i => i.complete && i.naturalWidth > 0)", "true")
			if found := p.Faults(); found != "" {
				t.Errorf("%s, %d %s: %s", name, size.width, size.scheme, found)
			}
			if title := p.Eval("document.title"); !strings.HasSuffix(title, "kifu") {
				t.Errorf("%s: a name acts: the title is %q", name, title)
			}
			picture(p, name+"-"+size.scheme+map[bool]string{true: "-narrow"}[size.width < 500])
		}
	}
}

// TestCurvesByHand: a condition is typed with a column completed, drawn, brushed; its error
// stands beside the box.
func TestCurvesByHand(t *testing.T) {
	slow.Test(t, "a browser")
	p, _ := visit(t, "curves?on=labels&least=30", false)
	p.Click("input[name=when]")
	p.Press("king_sa")
	until(t, p, counts(".awesomplete li"), "1")
	p.Press("Tab")
	until(t, p, "document.querySelector('input[name=when]').value", "king_safety")
	p.Press(" >= 30")
	p.Press("Enter")
	until(t, p, counts(".u-legend .u-series:not(.edge)"), "4") // the axis, total, condition, sigmoid
	until(t, p, value("when"), "king_safety >= 30")
	p.Drag(".u-over", 0.4, 0.6)
	until(t, p, "new URL(location).searchParams.has('from') && new URL(location).searchParams.has('to')", "true")
	until(t, p, "document.querySelectorAll('.wall li').length > 3", "true")
	// The ends are those of bins: halves of 25.
	until(t, p, "Math.abs(+new URL(location).searchParams.get('from')) % 25", "12.5")
	p.Click("input[name=when]")
	p.Press("End")
	p.Press(" AND nonsens > 1")
	p.Press("Enter")
	until(t, p, "document.querySelector('.condition .error')?.textContent.includes('no column nonsens')", "true")
	until(t, p, "document.querySelector('input[name=when]')?.getAttribute('aria-invalid')", "true")
}

// TestSQLByHand: datasets and columns are completed where a query is typed, its error stands beside
// the box and names the dataset that was asked, and Ctrl and Enter ask.
func TestSQLByHand(t *testing.T) {
	slow.Test(t, "a browser")
	p, at := visit(t, "", true)
	p.Go(at + "sql")
	// The view that is open is within the window of a phone.
	until(t, p, "(r => r.left >= 0 && r.right <= innerWidth)(document.querySelector('nav .on').getBoundingClientRect())", "true")
	p.Click("textarea")
	p.Press("SELECT king_sa")
	until(t, p, counts(".awesomplete li"), "1")
	p.Press("Tab")
	p.Press(" FROM label")
	until(t, p, counts(".awesomplete li"), "1")
	p.Press("Tab")
	until(t, p, "document.querySelector('textarea').value", "SELECT king_safety FROM labels")
	p.Press(" WHERE phas > 1")
	p.Eval("document.querySelector('textarea').dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', ctrlKey: true, bubbles: true }))")
	until(t, p, "document.querySelector('fieldset .error')?.textContent.startsWith('labels (')", "true")
	until(t, p, "document.querySelector('textarea')?.getAttribute('aria-describedby')", "error")
}

// TestKeys: arrow keys, buttons and the chart step through a game, and the address follows.
func TestKeys(t *testing.T) {
	slow.Test(t, "a browser")
	p, _ := visit(t, "game?on=evil&id=0", false)
	until(t, p, counts(".plot canvas"), "2")
	p.Press("ArrowRight")
	until(t, p, says(".steps .on"), "e4")
	until(t, p, says("[data-shown=record]"), "+40.0 centipawns")
	until(t, p, says("[data-shown=clock]"), "5m0s")
	p.Press("End")
	until(t, p, says(".steps .on"), "Qxf7#")
	until(t, p, says("[data-shown=value]"), "White wins in 0")
	until(t, p, value("ply"), "7")
	p.Press("ArrowLeft")
	p.Click("[data-go=ArrowLeft]")
	until(t, p, says(".steps .on"), "Bc4")
	p.Press("Home")
	until(t, p, says(".steps .on"), "start")
	p.Click(".plot .u-over")
	until(t, p, "document.querySelector('.steps .on').textContent !== 'start'", "true")
	// The address shows the same again.
	ply := p.Eval(value("ply"))
	p.Go(p.Eval("location.href"))
	until(t, p, "document.querySelector('.steps .on').dataset.board === document.querySelector('#board').getAttribute('src') && new URL(location).searchParams.get('ply')", ply)
}

// TestRedrawn: a chart that is drawn again in another width keeps the guide of the move, and its
// labels fit.
func TestRedrawn(t *testing.T) {
	slow.Test(t, "a browser")
	p, at := visit(t, "game?on=evil&id=0&ply=4", false)
	until(t, p, "document.querySelector('.plot').chart.cursor.idx + ''", "4")
	for _, width := range []int64{1280, 1279, 1100, 901} {
		p.Size(width, 1000, "light")
		until(t, p, "String(document.documentElement.scrollWidth - document.documentElement.clientWidth)", "0")
	}
	p.Size(400, 850, "dark")
	until(t, p, "String(document.querySelector('.plot').chart.width < 400)", "true")
	until(t, p, "document.querySelector('.plot').chart.cursor.idx + ''", "4")
	p.Go(at + "curves")
	until(t, p, counts(".plot canvas"), "1")
	p.Eval(`(() => { const u = document.querySelector('.plot').chart, c = document.createElement('canvas').getContext('2d');
		window.overflows = [[0, u.over.clientWidth], [1, u.over.clientHeight]].filter(([i, room]) => {
			c.font = u.axes[i].labelFont[0];
			return c.measureText(u.axes[i].label).width > room * devicePixelRatio + 20;
		}).length; })()`)
	until(t, p, "String(window.overflows)", "0")
	// Pieces to choose from are seen in the dark: those of both sides have a light ground.
	p.Go(at + "openings?setup=1")
	until(t, p, "getComputedStyle(document.querySelector('.palette [data-piece]')).backgroundColor", "rgb(216, 195, 154)")
}

// TestTouch: on a phone a swipe over the board steps through a game, forth and back, and through
// the variation of a position; a tap on a move leads there.
func TestTouch(t *testing.T) {
	slow.Test(t, "a browser")
	p, at := visit(t, "game?on=evil&id=0", true)
	until(t, p, says(".steps .on"), "start")
	p.Swipe("#board", 0.8, 0.2)
	until(t, p, says(".steps .on"), "e4")
	p.Swipe("#board", 0.8, 0.2)
	p.Swipe("#board", 0.2, 0.8)
	until(t, p, says(".steps .on"), "e4")
	until(t, p, value("ply"), "1")
	p.Swipe("#board", 0.5, 0.49) // a finger that trembles
	until(t, p, says(".steps .on"), "e4")
	p.Click(".steps a:last-child")
	until(t, p, says(".steps .on"), "Qxf7#")
	p.Go(at + "position?on=labels&game=3&ply=31")
	first := p.Eval("document.querySelector('#board').getAttribute('src')")
	p.Swipe("#board", 0.8, 0.2)
	until(t, p, "document.querySelector('#board').getAttribute('src') !== `"+first+"`", "true")
}

// TestHeads: a head sorts the rows of its table, a second time the other way; of a table with further pages the server sorts. A name is
// completed among the players of the games.
func TestHeads(t *testing.T) {
	slow.Test(t, "a browser")
	p, at := visit(t, "endings?on=labels&least=2", false)
	const scores = "[...document.querySelectorAll('tbody tr')].map(r => parseFloat(r.cells[4].textContent))"
	until(t, p, counts("thead .sort"), "9")
	p.Click("thead th:nth-child(5) .sort")
	until(t, p, says("[aria-sort=descending]"), "score %")
	until(t, p, scores+".every((v, i, all) => !i || v <= all[i - 1])", "true")
	p.Click("thead th:nth-child(5) .sort")
	until(t, p, scores+".every((v, i, all) => !i || v >= all[i - 1])", "true")
	p.Click("input[name=player]")
	p.Press("anders")
	until(t, p, "document.querySelector('.awesomplete li')?.textContent.startsWith('Anderssen')", "true")
	p.Go(at + "games?on=games")
	until(t, p, counts("thead .sort"), "7") // without ratings, which no game has
	p.Click("thead th:nth-child(6) .sort")
	until(t, p, value("order")+" + "+value("down"), "ply_count1")
	const plies = "[...document.querySelectorAll('table.games tbody tr')].map(r => +r.cells[5].textContent)"
	until(t, p, plies+".every((v, i, all) => !i || v <= all[i - 1])", "true")
}

// TestSetup: pieces are put on a board by mouse and by keys, and what was set up is found.
func TestSetup(t *testing.T) {
	slow.Test(t, "a browser")
	p, _ := visit(t, "positions?on=labels&where=ply+%3C+20", false)
	p.Click("summary")
	p.Click(".cell[data-name=e4]")
	until(t, p, "document.querySelector('input[name=like]').value", "*/*/*/*/????P*/*/*/*")
	p.Eval("document.querySelector('[data-piece=n]').click(); document.querySelector('.cell[data-name=f6]').focus()")
	p.Press("Enter")
	until(t, p, "document.querySelector('input[name=like]').value", "*/*/?????n*/*/????P*/*/*/*")
	const where = "document.querySelector('input[name=where]').value"
	// A square that is attacked is a condition, beside what is there; a second click takes it away.
	p.Click("[title='attacked by White']")
	p.Click(".cell[data-name=d5]")
	until(t, p, where, "ply < 20 and attackers(board, 'd5', 'A')")
	p.Eval("document.querySelector('[title=\"attacked by Black\"]').click(); document.querySelector('.cell[data-name=e4]').focus()")
	p.Press("Enter")
	until(t, p, where, "ply < 20 and attackers(board, 'd5', 'A') and attackers(board, 'e4', 'a')")
	until(t, p, "document.activeElement.getAttribute('aria-label')", "e4: white pawn, attacked by Black")
	p.Click("[title='attacked by White']")
	p.Click(".cell[data-name=d5]")
	until(t, p, where, "ply < 20 and attackers(board, 'e4', 'a')")
	p.Click(".palette button:not([data-piece]):not([data-mark])")
	until(t, p, "new URL(location).searchParams.has('like')", "true")
	until(t, p, "document.querySelectorAll('.wall li').length > 3", "true")
	until(t, p, "document.querySelector('.cell[data-name=f6]')?.dataset.text", "n")
	until(t, p, value("where"), "ply < 20 and attackers(board, 'e4', 'a')")
	until(t, p, counts(".setup .mark.on"), "1")
	picture(p, "setup")
}

// TestSetupPosition: a position is set up by hand, and the games that had it are found, whatever
// was typed before; a mistake is said beside the board, which keeps what was set up.
func TestSetupPosition(t *testing.T) {
	slow.Test(t, "a browser")
	p, at := visit(t, "openings?on=games&line=e2e4&result=first", false)
	games := p.Eval(says(".play b"))
	p.Go(at + "openings?on=games&line=c2c4&result=first")
	p.Click("summary")
	until(t, p, "document.querySelector('.cell[data-name=c4]').dataset.text", "P")
	p.Click(".cell[data-name=c4]")
	p.Click(".cell[data-name=c2]")
	p.Click(".cell[data-name=e2]")
	p.Click(".cell[data-name=e4]")
	until(t, p, "document.querySelector('input[name=set]').value", "rnbqkbnr/pppppppp/......../......../....P.../......../PPPP.PPP/RNBQKBNR")
	p.Click(".palette button:not([type])")
	until(t, p, value("at"), "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1")
	until(t, p, "[...new URL(location).searchParams.keys()].filter(k => k === 'set' || k === 'turn' || k === 'line').length", "0")
	until(t, p, says(".play b"), games)
	picture(p, "setup-position")
	// Without a king there is no position.
	p.Click("summary")
	p.Eval("document.querySelector('[data-piece=\"K\"]').click()")
	p.Click(".cell[data-name=e1]")
	p.Eval("document.querySelector('.set select').value = 'first'; document.querySelector('.set select').dispatchEvent(new Event('change', { bubbles: true }))")
	p.Click(".palette button:not([type])")
	until(t, p, "document.querySelector('.error')?.textContent.includes('exactly one king')", "true")
	until(t, p, "document.querySelector('.cell[data-name=e1]').dataset.text + document.querySelector('.cell[data-name=e4]').dataset.text + document.querySelector('.set select').value", ".Pfirst")
}

// TestCopiedPictures: board and chart come as PNG, the board as it stands now, large, and on the
// page's own ground. What the browser would put on the clipboard is caught on its way.
func TestCopiedPictures(t *testing.T) {
	slow.Test(t, "a browser")
	p, _ := visit(t, "game?on=games&id=3", false)
	p.Size(1280, 1000, "dark")
	until(t, p, "!!document.querySelector('.plot canvas')", "true")
	p.Eval(`navigator.clipboard.write = async ([item]) => {
		const picture = await createImageBitmap(await item.getType('image/png'));
		const canvas = Object.assign(document.createElement('canvas'), { width: picture.width, height: picture.height });
		const on = canvas.getContext('2d');
		on.drawImage(picture, 0, 0);
		window.caught = { width: picture.width, height: picture.height, at: (x, y) => [...on.getImageData(x, y, 1, 1).data].join() };
	}; window.caught = null; 0`)
	p.Click("[data-copy-png='#board']")
	until(t, p, "window.caught?.width + ' ' + document.querySelector('[data-copy-png]').textContent", "920 Copied")
	until(t, p, "window.caught.at(2, 2)", p.Eval("getComputedStyle(document.body).backgroundColor.match(/\\d+/g).slice(0, 3).join() + ',255'"))
	const grid = "[...Array(400).keys()].map(i => window.caught.at(30 + 44 * (i % 20), 30 + 44 * Math.floor(i / 20))).join()"
	was := p.Eval(grid)
	p.Press("End")
	p.Eval("window.caught = null")
	p.Click("[data-copy-png='#board']")
	until(t, p, "window.caught?.width", "920")
	if p.Eval(grid) == was {
		t.Error("the picture is still that of the start")
	}
	p.Eval("window.caught = null")
	p.Click("footer [data-copy-png]")
	until(t, p, "window.caught?.width > 500 && window.caught.height > 300", "true")
}

// TestSliders: a weight that is changed changes value, curve and log-loss, and back.
func TestSliders(t *testing.T) {
	slow.Test(t, "a browser")
	p, _ := visit(t, "position?on=labels&game=3&ply=31", false)
	until(t, p, "!!document.querySelector('.sliders canvas')", "true")
	was := p.Eval(says("[data-changed=value]"))
	p.Eval("document.querySelector('input[name=tempo]').focus()")
	p.Press("End")
	until(t, p, says("input[name=tempo] + output"), "× 2")
	until(t, p, "document.querySelector('[data-changed=value]').textContent !== '"+was+"'", "true")
	until(t, p, "/log-loss .* ± .*95 %, by /.test(document.querySelector('[data-changed=losses]').textContent)", "true")
	p.Click(".reset")
	until(t, p, says("[data-changed=value]"), was)
}

// TestTwoTabs: a query without end in one tab leaves the other one quick, and ends when its
// tab goes elsewhere.
func TestTwoTabs(t *testing.T) {
	slow.Test(t, "two browsers")
	busy, at := visit(t, "sql", false)
	busy.Eval("void fetch('sql?q=" + strings.ReplaceAll(endless, " ", "+") + "').catch(() => {})")
	other := tab(t, at+"games", false)
	until(t, other, counts("table.games tbody tr"), "50")
	busy.Go(at + "positions?on=labels")
	until(t, busy, counts(".wall li"), "48")
}
