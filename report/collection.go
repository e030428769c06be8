package report

import (
	"path"
	"strings"

	"kifu/query"
	"kifu/report/page"
)

// collection is an Output that joins the pages of reports, and gives files of reports of one kind
// different names.
type collection struct {
	page.Files
	suffix string // of the files of the report under way
	pages  []page.Section
	paper  page.Paper
}

// Paper has the name of the report in the labels, after the prefix of all.
func (c *collection) Paper(name string) page.Paper {
	p := c.paper
	p.Prefix = strings.TrimPrefix(p.Prefix+"-"+c.ReportName(name), "-")
	return p
}

// ReportName numbers reports of one kind.
func (c *collection) ReportName(name string) string { return name + c.suffix }

// AddPage keeps p for the page of all.
func (c *collection) AddPage(p page.Section) error {
	p.Name += c.suffix
	c.pages = append(c.pages, p)
	return nil
}

func (c *collection) AddFile(name string, data []byte) error {
	return c.Files.AddFile(c.fileName(name), data)
}

func (c *collection) fileName(name string) string {
	end := path.Ext(name)
	return strings.TrimSuffix(name, end) + c.suffix + end
}

// SetMeta keeps what is of a file alone, the types of a table's columns: what else holds for one report need not
// for the next.
func (c *collection) SetMeta(key, value string) {
	if file, ok := strings.CutPrefix(key, query.TypesOf); ok {
		c.Files.SetMeta(query.TypesOf+c.fileName(file), value)
	}
}
