package query

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/big"
	"strings"
	"time"

	"github.com/marcboeker/go-duckdb"
)

// plain turns a value of the driver into one of those that Result promises.
func plain(v any, typ string) any {
	switch v := v.(type) {
	case int8:
		return int64(v)
	case int16:
		return int64(v)
	case int32:
		return int64(v)
	case uint8:
		return uint64(v)
	case uint16:
		return uint64(v)
	case uint32:
		return uint64(v)
	case *big.Int:
		if v.IsInt64() {
			return v.Int64()
		}
		return json.Number(v.String())
	case duckdb.Decimal:
		return json.Number(decimal(v))
	case duckdb.Interval:
		return fmt.Sprintf("%d months %d days %s", v.Months, v.Days, time.Duration(v.Micros)*time.Microsecond)
	case duckdb.Map:
		m := map[string]any{}
		for key, value := range v {
			m[fmt.Sprint(plain(key, ""))] = plain(value, "")
		}
		return m
	case map[string]any:
		for key, value := range v {
			v[key] = plain(value, "")
		}
		return v
	case []any:
		for i := range v {
			v[i] = plain(v[i], strings.TrimSuffix(typ, "[]"))
		}
		return v
	case []byte:
		if typ == "UUID" && len(v) == 16 {
			h := hex.EncodeToString(v)
			return h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:]
		}
	case time.Time:
		if typ == "" {
			return v.Format("2006-01-02 15:04:05.999999")
		}
	}
	return v
}

func decimal(d duckdb.Decimal) string {
	sign, digits := "", d.Value.String()
	if digits[0] == '-' {
		sign, digits = "-", digits[1:]
	}
	scale := int(d.Scale)
	if scale == 0 {
		return sign + digits
	}
	if pad := scale + 1 - len(digits); pad > 0 {
		digits = strings.Repeat("0", pad) + digits
	}
	return sign + digits[:len(digits)-scale] + "." + digits[len(digits)-scale:]
}
