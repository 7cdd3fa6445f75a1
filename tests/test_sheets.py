"""Sheets and cells: what spreadsheets and people write is read, the same whichever of them wrote it; what can't be told
is one line."""

import io
import zipfile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.printed.cells import NO, WORDS, YES, folded, truth, whole
from sim.printed.sheets import MOST_PROBLEMS, Problem, Row, SheetError, grouped, read_sheet

NAMES = {"path": "path", "value": "value", "note": "note", "wert": "value"}
TABLE = 'path,value,note\nkings.joão,2,"a, b"\nrules.x,TRUE,\n'
ROWS = [{"path": "kings.joão", "value": "2", "note": "a, b"}, {"path": "rules.x", "value": "TRUE", "note": ""}]


def read(data, words=()):
    return read_sheet(data if isinstance(data, bytes) else data.encode(), NAMES, ("path", "value"), words)


def cells(data, words=()):
    return [row.cells for row in read(data, words).rows]


def refused(data):
    with pytest.raises(SheetError) as caught:
        read(data)
    assert str(caught.value).isprintable()
    return str(caught.value)


# --- files ------------------------------------------------------------------------------------------------------------


def parted(mark):
    """The table with another delimiter."""
    return f"path{mark}value{mark}note\nkings.joão{mark}2{mark}a, b\nrules.x{mark}TRUE{mark}\n"


@pytest.mark.parametrize("code", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "cp1252"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", [",", ";", "\t", "|"])
def test_encodings_delimiters_and_ends_of_lines(code, end, mark):
    text = (TABLE if mark == "," else parted(mark)).replace("\n", end)
    assert cells(text.encode(code)) == ROWS
    assert [row.line for row in read(text.encode(code)).rows] == [2, 3]


@pytest.mark.parametrize("order", ["utf-16-le", "utf-16-be"])
def test_the_two_orders_of_utf_16(order):
    assert cells(("\ufeff" + parted("\t")).encode(order)) == ROWS


@pytest.mark.parametrize(
    "data",
    [
        "sep=;\n" + parted(";"),
        '"sep=;"\r\n' + parted(";"),
        "sep=:\n" + parted(":"),
        "SEP=\t\n" + parted("\t"),
        "sep=;\n" + TABLE,  # saved again by what does not know it
        "\n\n" + TABLE + "\n\n",
        TABLE.replace(",value", " , VALUE ").replace("path", "Path").replace("note", "  Note:"),
        TABLE.replace("value", "Wert"),
        TABLE.replace("2", "\u00a02\u200b "),
        TABLE.replace('"a, b"', ' "a, b"'),
        TABLE.replace("TRUE,", "TRUE"),
        TABLE.replace(",2,", ',="2",'),
        TABLE + "path,value,note\n",  # the heading once more, as on each printed page
        "\ufeff\ufeff" + TABLE,
        TABLE + "\x1a",
    ],
)
def test_dialects(data):
    assert cells(data) == ROWS
    assert read(data).remarks == ()


def test_columns_in_any_order_and_empty_ones_at_the_end():
    assert cells("note;;value;path;;\n;;2;a;;\n;;;;;\nb;;3;c\n") == [
        {"note": "", "value": "2", "path": "a"},
        {"note": "b", "value": "3", "path": "c"},
    ]


def test_line_breaks_in_cells():
    found = read('"path",value,"no\nte"\na,1,"one\r\ntwo, and\n\nthree"\nb,2,\n')
    assert found.columns == ("path", "value", "note")
    assert found.rows == [
        Row(3, {"path": "a", "value": "1", "note": "one\r\ntwo, and\n\nthree"}),
        Row(7, {"path": "b", "value": "2", "note": ""}),
    ]


@pytest.mark.parametrize(
    ("data", "remark"),
    [
        ("My numbers,,\n\n" + TABLE, "not read: line 1 above the heading"),
        ('"My ""own"" numbers; version 2"\nof today\n\n' + TABLE, "not read: lines 1 and 2 above the heading"),
        ('My "own\n' + TABLE, "not read: line 1 above the heading"),
        ('"My" own\n' + TABLE, "not read: line 1 above the heading"),
        ("path,value,name,date,note\nkings.joão,2,Ann,1/2/26,\"a, b\"\nrules.x,TRUE,,,\n", "not read: the columns name "
        "and date"),
        ("path,value,note,na\x07me\u202e\nkings.joão,2,\"a, b\"\nrules.x,TRUE,\n", "bytes that are no text"),
        ("path,value,note,\u202ename\nkings.joão,2,\"a, b\"\nrules.x,TRUE,\n", r"not read: the column \u202ename"),
        ("path,value,note,,\nkings.joão,2,\"a, b\",,look\nrules.x,TRUE,,,\n", "not read: what stands beside the table "
        "in line 2"),
        ("path,value,note\nkings.joão,2,\"a, b\",,look\nrules.x,TRUE,,,\n", "not read: what stands beside the table in "
        "line 2"),
        ("path,value,note\nkings.joão,2,\"a, b\"\nrules.x,TRUE,,,look\n", "not read: what stands beside the table in "
        "line 3"),
        ("path,value,note,a,b,c,d,e,f,g\nkings.joão,2,\"a, b\"\nrules.x,TRUE", "not read: the columns a, b, c, d, e "
        "and 2 more"),
    ],
)  # fmt: skip
def test_what_is_not_read_is_said_in_a_line(data, remark):
    if "not read" not in remark:
        assert remark in refused(data)
        return
    assert cells(data) == ROWS
    assert read(data).remarks == (remark,)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "found nothing; allowed a table with the columns path and value"),
        (b"\r\n ,;\n", "found nothing; allowed"),
        (b"key,value\na,b\n", "line 1: found no column 'path'; allowed a heading with path and value"),
        (b"a title\nKey;Value\na;b\n", "line 2: found no column 'path'"),
        (b"a,b\nc,d\n", "line 1: found no columns 'path' and 'value'"),
        (b"path,Value,value\n", "line 1: found the column 'value' twice; allowed each column once"),
        (b"path,wert,value\n", "line 1: found the column 'value' twice"),
        (b'path,value\na,"2" x\n', "line 2: found a cell with a stray quotation mark; allowed one at each end"),
        (b'path,value\na,1\nb,"2\nc,3\n', "line 3: found a cell with a stray quotation mark"),
        (
            b'path,value,note\na,1,"x\nb,2,\nc,3,y"\n',
            "line 2: found a cell that goes on to line 4 and holds other rows",
        ),
        (b"path,value\na,1\nb,1,234\n", "line 3: found 3 cells; allowed 2, as in the heading"),
        (b"\x00\x01\x02", "found bytes that are no text"),
        (b"path,value\na,\x02\n", "found bytes that are no text"),
        (b"path,value\na,2\x00\n", "found bytes that are no text"),
        (b"\xff\xfep\x00a", "found bytes that are no text"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 512, "found a spreadsheet; allowed a table (save it as CSV)"),
        (
            b'<?xml version="1.0"?>\n<Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet"/>',
            "found a spreadsheet",
        ),
        (b'<html xmlns:x="urn:schemas-microsoft-com:office:excel"><table>', "found a spreadsheet"),
        (b"\xef\xbb\xbf<?xml version='1.0'?><a/>", "found XML"),
        (b"<!DOCTYPE html><p>path,value", "found a web page"),
        ("<table><tr><td>path</td></tr></table>".encode("utf-16"), "found a web page"),
        (b'{"path": "a", "value": 2}', "found JSON"),
        (b'[\n {"path": "a", "value": 2}]', "found JSON"),
        (b"%PDF-1.7\n", "found a PDF"),
        (b"PAR1\x15\x04", "found a Parquet file"),
    ],
)
def test_what_is_refused(data, said):
    assert said in refused(data)


def test_a_spreadsheet_with_another_name():
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as made:
        made.writestr("xl/workbook.xml", "<workbook/>")
    assert refused(file.getvalue()) == "found a spreadsheet; allowed a table (save it as CSV)"


# --- encodings without a mark -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("mac_roman", ["João I", "Córdoba"]),
        ("cp1252", ["João I", "Córdoba"]),
        ("cp850", ["João I", "Córdoba"]),
        ("cp1250", ["Żółw", "FAŁSZ"]),
        ("cp852", ["Żółw", "FAŁSZ"]),
        ("mac_latin2", ["Żółw", "FAŁSZ"]),
        ("cp1251", ["Король", "ЛОЖЬ"]),
        ("cp866", ["Король", "ЛОЖЬ"]),
        ("mac_cyrillic", ["Король", "ЛОЖЬ"]),
        ("cp1253", ["Βασιλιάς", "ΨΕΥΔΗΣ"]),
        ("cp1254", ["Şehir", "YANLIŞ"]),
    ],
)
def test_known_words_tell_old_encodings_apart(code, words):
    data = f"path;value;note\na;{words[0]};\nb;{words[1]};café\n".encode(code, "replace")
    assert [row["value"] for row in cells(data, words)] == words
    assert read(data, words).remarks[0].startswith("not in UTF-8; read as ")


def test_nothing_is_said_of_a_column_that_is_known_and_not_read():
    found = read_sheet("path;value;Meaning\na;1;Zoë\n".encode("cp1252"), NAMES | {"meaning": ""}, ("path", "value"))
    assert (found.columns, found.rows[0].cells, found.remarks) == (("path", "value"), {"path": "a", "value": "1"}, ())


def test_nothing_is_said_of_letters_that_are_not_read():
    found = read("path;value;who\na;1;Zoë\n".encode("cp1252"))
    assert found.remarks == ("not read: the column who",)


# --- cells ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2", 2), ("+2", 2), ("-2", -2), ("\u22122", -2), ("\u20132", -2), ("2.0", 2), ("2,0", 2), ("-2,00", -2),
        ("2.", 2), ("007", 7), ("0,000", 0), ("0.000", 0), ("1000.000", 1000), ("1.0000", 1), ("1.000.000", 1_000_000),
        ("1,000,000", 1_000_000), ("1,234.00", 1234), ("1.234,0", 1234), ("1\u00a0000", 1000), ("1\u202f234,0", 1234),
        ("1'000", 1000), ("\u00a012 ", 12), ("1.000", None), ("1,000", None), ("12,345", None), ("2.5", None),
        ("2,50", None), ("1,23,456", None), ("1.234.56", None), ("1 00", None), ("two", None), ("", None),
        ("--2", None), ("2-", None), ("1e3", None), ("²", None), ("9" * 31, None), ("\uff12", 2), ("1,234.567,0", None),
        (".0", None),
    ],
)  # fmt: skip
def test_whole_numbers(text, value):
    assert whole(text) == value


def test_yes_and_no_in_every_language():
    for word in "TRUE wahr VRAI Vero VERDADERO Verdadeiro WAAR SANT PRAWDA ИСТИНА yes X x Ja sí sim 1 1.0 ✓".split():  # noqa: SIM905
        assert truth(word) is True, word
    for (
        word
    ) in "FALSE falsch FAUX Falso ONWAAR FALSKT FAŁSZ fałsz EPÄTOSI ЛОЖЬ yanlış HAYIR no n nein não 0 0,0 -".split():  # noqa: RUF001, SIM905
        assert truth(word) is False, word
    for text in ("", "maybe", "2", "xx", "1.5", "?"):
        assert truth(text) is None, text
    assert not YES & NO
    assert len(WORDS.strip().splitlines()) == 32
    assert min(map(len, (YES, NO))) > 50


def test_names_without_case_accents_and_spaces():
    assert folded(" João-I_") == folded("joao i") == "joaoi"
    assert folded("King Round 1") == folded("king.round1")
    assert folded("✓ ") == "✓"


# --- what is wrong ----------------------------------------------------------------------------------------------------


def test_problems_of_a_kind_are_one_line():
    problems = [Problem(n, "score", "", "a whole number") for n in range(49, 1, -1)]
    problems += [
        Problem(3, "seat", "'9'", "1 or 2"),
        Problem(60, "winner", "'perhaps'", "yes or no"),
        Problem(50, "seat", "'7'", "1 or 2"),
    ]
    problems += [Problem(3, "", "2 cells", "3")]
    assert grouped(problems) == [
        "48 rows have no score (lines 2, 3, 4, 5, 6 and 43 more); allowed a whole number",
        "2 rows (lines 3 and 50): seat: found '9' and '7'; allowed 1 or 2",
        "line 3: found 2 cells; allowed 3",
        "line 60: winner: found 'perhaps'; allowed yes or no",
    ]
    assert grouped([Problem(4, "score", "", "a number")]) == ["line 4: score: found nothing; allowed a number"]
    assert grouped([]) == []


def test_there_are_never_more_than_ten_lines():
    many = [Problem(n, f"column {n}", "'x'", "a number") for n in range(2, 32)]
    assert len(grouped(many)) == MOST_PROBLEMS == 10
    assert grouped(many)[-1] == "and 21 more kinds of problem"
    assert len(grouped(many[:10])) == 10
    assert "more" not in grouped(many[:10])[-1]


@pytest.mark.slow
@settings(deadline=None, max_examples=300)
@given(
    st.one_of(
        st.binary(max_size=60),
        st.text(max_size=60).map(str.encode),
        st.text('path,value;\t|"\n\r=sep 1x', max_size=80).map(str.encode),
    )
)
def test_any_file_is_a_table_or_a_line(data):
    for text in (data, b"path,value\n" + data, b"path;value\n\xff;" + data):
        try:
            found = read(text)
        except SheetError as error:
            said = (str(error),)
        else:
            said = found.remarks
            assert all(set(row.cells) == set(found.columns) and any(row.cells.values()) for row in found.rows)
        assert all(map(str.isprintable, said))
