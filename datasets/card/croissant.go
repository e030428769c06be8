package card

import (
	"encoding/json"
	"fmt"

	"kifu/datasets"
	"kifu/schemas"
)

// context maps the words of croissant.json to the vocabularies of schema.org and of Croissant 1.0, as its specification prints it.
const context = `{"@language":"en","@vocab":"https://schema.org/","citeAs":"cr:citeAs","column":"cr:column","conformsTo":"dct:conformsTo",
"cr":"http://mlcommons.org/croissant/","rai":"http://mlcommons.org/croissant/RAI/","data":{"@id":"cr:data","@type":"@json"},
"dataType":{"@id":"cr:dataType","@type":"@vocab"},"dct":"http://purl.org/dc/terms/","equivalentProperty":"cr:equivalentProperty",
"examples":{"@id":"cr:examples","@type":"@json"},"extract":"cr:extract","field":"cr:field","fileProperty":"cr:fileProperty",
"fileObject":"cr:fileObject","fileSet":"cr:fileSet","format":"cr:format","includes":"cr:includes","isLiveDataset":"cr:isLiveDataset",
"jsonPath":"cr:jsonPath","key":"cr:key","md5":"cr:md5","parentField":"cr:parentField","path":"cr:path","recordSet":"cr:recordSet",
"references":"cr:references","regex":"cr:regex","repeated":"cr:repeated","replace":"cr:replace","samplingRate":"cr:samplingRate",
"sc":"https://schema.org/","separator":"cr:separator","source":"cr:source","subField":"cr:subField","transform":"cr:transform"}`

// node is an object of JSON-LD.
type node map[string]any

// Croissant returns croissant.json of d: each part with its checksum, and a record set of the columns.
func (f *Facts) Croissant(d *datasets.Dir) ([]byte, error) {
	const repository, files = "repo", "parquet-files"
	parts := []node{
		// A repository has no checksum; the format asks for one, and its authors put the address of that question here.
		{"@type": "cr:FileObject", "@id": repository, "name": repository, "description": "the repository on the Hugging Face Hub",
			"contentUrl": f.url(), "encodingFormat": "git+https", "sha256": "https://github.com/mlcommons/croissant/issues/80"},
		{"@type": "cr:FileSet", "@id": files, "name": files, "description": "the parts, in the order of their names",
			"containedIn": node{"@id": repository}, "encodingFormat": parquet, "includes": glob},
	}
	for i := range d.NumParts() {
		info, err := d.Info(i)
		if err != nil {
			return nil, err
		}
		parts = append(parts, node{"@type": "cr:FileObject", "@id": info.Name, "name": info.Name, "containedIn": node{"@id": repository},
			"contentUrl": info.Name, "contentSize": fmt.Sprintf("%d B", info.Bytes), "encodingFormat": parquet, "sha256": info.SHA256})
	}
	const records = "default"
	var fields []node
	for _, c := range loadable(d.Table) {
		field := node{"@type": "cr:Field", "@id": records + "/" + c.Name, "name": c.Name, "description": c.Doc, "dataType": dataType(c.Type),
			"source": node{"fileSet": node{"@id": files}, "extract": node{"column": c.Name}}}
		if c.Type == schemas.Int32List {
			field["repeated"] = true
		}
		fields = append(fields, field)
	}
	return json.MarshalIndent(node{
		"@context": json.RawMessage(context), "@type": "sc:Dataset", "conformsTo": "http://mlcommons.org/croissant/1.0",
		"name": title(d), "description": schemas.DocOf(d.Table.Name), "license": f.Licence, "url": f.url(), "citeAs": f.Citation,
		"datePublished": f.Date, "version": fmt.Sprintf("%d.0.0", d.Table.Version), "distribution": parts,
		"recordSet": []node{{"@type": "cr:RecordSet", "@id": records, "name": records, "description": "a record per row", "field": fields}},
	}, "", "  ")
}

const parquet = "application/x-parquet"

// dataType returns the type of schema.org that a column's values have. Packed bytes are text, which Croissant's loaders read as bytes.
func dataType(t schemas.Type) string {
	switch t {
	case schemas.Bool:
		return "sc:Boolean"
	case schemas.Int16, schemas.Int32, schemas.Int64, schemas.Uint64, schemas.Int32List:
		return "sc:Integer"
	case schemas.Float32, schemas.Float64:
		return "sc:Float"
	}
	return "sc:Text"
}
