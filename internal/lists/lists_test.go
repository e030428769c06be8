package lists_test

import (
	"fmt"
	"strconv"
	"strings"

	"kifu/internal/lists"
)

func Example() {
	words := []string{"pawn", "rook", "queen", "rook"}
	fmt.Println(lists.Of(words, strings.ToUpper), lists.Of([]string{}, strings.ToUpper) == nil)
	fmt.Println(lists.Where(words, func(w string) bool { return len(w) > 4 }), lists.Sum(words, func(w string) int { return len(w) }))
	fmt.Println(lists.Distinct(words, strings.Clone), lists.Set(words), lists.N(3, func(i int) string { return words[2-i] }))
	fmt.Println(lists.By([]string{"king", "knight"}, func(w string) byte { return w[0] })['k'])
	fmt.Println(lists.Try([]string{"1", "two", "three"}, strconv.Atoi))
	// Output:
	// [PAWN ROOK QUEEN ROOK] true
	// [queen] 17
	// [pawn rook queen] map[pawn:true queen:true rook:true] [queen rook pawn]
	// knight
	// [] strconv.Atoi: parsing "two": invalid syntax
}
