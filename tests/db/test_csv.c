/* db/csv.c: what RFC 4180 allows is read, everything else is refused with line and column. */
#include "../../db/csv.h"
#include "../catalogue_fixture.h"
#include "../tap.h"

/* Reads everything; the fields joined as <a|b|c> per record. Returns false with the error. */
static bool read_all(const char *bytes, size_t size_bytes, char *joined, size_t room,
                     struct error *err)
{
    struct csv_reader reader;
    bool found = true;
    size_t used = 0;

    if (!csv_init(&reader, "f.csv", bytes, size_bytes, err)) {
        return false;
    }
    bool is_good = csv_next(&reader, &found, err);

    while (is_good && found) {
        for (size_t i = 0; i < reader.field_count; i++) {
            used += (size_t)snprintf(joined + used, room - used, "%s%s", i == 0 ? "<" : "|",
                                     reader.fields[i].text);
        }
        used += (size_t)snprintf(joined + used, room - used, ">");
        is_good = csv_next(&reader, &found, err);
    }
    csv_fini(&reader);
    return is_good;
}

static void good(const char *text, const char *wanted, const char *name)
{
    char joined[256] = "";
    struct error err = {0};

    if (!read_all(text, strlen(text), joined, sizeof joined, &err)) {
        (void)tap_ok(false, "%s: %s", name, err.text);
        return;
    }
    (void)tap_text(joined, wanted, name);
}

static void bad_bytes(const char *text, size_t size_bytes, const char *wanted)
{
    char joined[256] = "";
    struct error err = {0};
    bool is_good = read_all(text, size_bytes, joined, sizeof joined, &err);

    (void)tap_ok(!is_good && err.code == ERROR_BAD_FILE, "refused: %s", wanted);
    (void)tap_text(err.text, wanted, "... with file, line and column");
}

static void bad(const char *text, const char *wanted)
{
    bad_bytes(text, strlen(text), wanted);
}

static void test_good(void)
{
    good("", "", "an empty file has no records");
    good("a,b\n1,2\n", "<a|b><1|2>", "lines ending with LF");
    good("a,b\r\n1,2\r\n", "<a|b><1|2>", "lines ending with CRLF");
    good("a,b\n1,2", "<a|b><1|2>", "the last line may end with the file");
    good("a,,\n", "<a||>", "empty fields");
    good("\n", "<>", "an empty line is one empty field");
    good("\"a\",\"\"\n", "<a|>", "quoted fields, one of them empty");
    good("\"a,b\",\"say \"\"x\"\"\"\n", "<a,b|say \"x\">", "commas and doubled quotes in quotes");
    good("\"a\nb\",\"c\r\nd\"\n", "<a\nb|c\r\nd>", "line breaks in quotes");
    good(" a , b \n", "< a | b >", "blanks belong to the field");
    good("\xef\xbb\xbf"
         "a,b\n",
         "<a|b>", "a byte order mark is skipped");
    good("\xe4\xb8\xad,\xf0\x9f\x98\x80\n", "<\xe4\xb8\xad|\xf0\x9f\x98\x80>",
         "UTF-8 of 3 and 4 bytes");
}

static void test_bad_quotes(void)
{
    bad("a,b\n1,\"2\n", "f.csv line 3, column 2: the quote is not closed");
    bad("a\n\"1\"x\n", "f.csv line 2, column 1: text behind the closing quote");
    bad("a\n\"1\" ,2\n", "f.csv line 2, column 1: text behind the closing quote");
    bad("a,b\n1,2\"3\n", "f.csv line 2, column 2: a quote inside an unquoted field");
    bad("a\n \"1\"\n", "f.csv line 2, column 1: a quote inside an unquoted field");
    bad("a\n\"x\ny\" z\n", "f.csv line 3, column 1: text behind the closing quote");
    bad("a\rb\n", "f.csv line 1, column 1: a carriage return without a line feed");
    bad("\"a\"\r", "f.csv line 1, column 1: text behind the closing quote");
}

static void test_bad_characters(void)
{
    static const char *const UNSEEN[] = {
        "a,\xe2\x80\x8b\n",      "a,\xe2\x80\x8f\n", "a,\xe2\x80\xa8\n", "a,b\xe2\x80\xaegnp.exe\n",
        "a,\"\xe2\x81\xa6x\"\n", "a,\xe2\x81\xa9\n", "a,\xef\xbb\xbf\n",
    };

    bad("a,\xff\n", "f.csv line 1, column 2: not UTF-8");
    bad("a\n\xc0\xaf\n", "f.csv line 2, column 1: not UTF-8");
    bad("\xe0\x80\xaf\n", "f.csv line 1, column 1: not UTF-8");
    bad("\xed\xa0\x80\n", "f.csv line 1, column 1: not UTF-8");
    bad("\xf4\x90\x80\x80\n", "f.csv line 1, column 1: not UTF-8");
    bad("\xf5\x80\x80\x80\n", "f.csv line 1, column 1: not UTF-8");
    bad("a\xe4\xb8", "f.csv line 1, column 1: not UTF-8");
    bad("\xe4\xb8\n", "f.csv line 1, column 1: not UTF-8");
    bad("a,b\x01\n", "f.csv line 1, column 2: a control character");
    bad("a,\x7f\n", "f.csv line 1, column 2: a control character");
    bad("a,\xc2\x85\n", "f.csv line 1, column 2: a control character");
    bad("\"a\",\"\xc2\x9b\"\n", "f.csv line 1, column 2: a control character");
    for (size_t i = 0; i < sizeof UNSEEN / sizeof UNSEEN[0]; i++) {
        bad(UNSEEN[i], "f.csv line 1, column 2: an invisible character (zero width, direction or "
                       "line separator)");
        tap_ok(!csv_is_text(UNSEEN[i], strlen(UNSEEN[i])), "nor in a text of JSON");
    }
    good("a\xc2\xa0"
         "b,\xe2\x80\x93,\xe2\x81\x9f\n",
         "<a\xc2\xa0"
         "b|\xe2\x80\x93|\xe2\x81\x9f>",
         "their neighbours are characters as others are");
    bad_bytes("a,b\0c\n", 6, "f.csv line 1, column 2: a control character");
}

/* Files that are large in one way or the other; letter and comma fill them. */
static void test_bad_sizes(void)
{
    enum { SIZE = 70000 };
    char *bytes = malloc(SIZE + 1);

    if (bytes == NULL) {
        test_bail_out("memory", "none");
    }
    memset(bytes, 'x', SIZE);
    bytes[1] = ',';
    bad_bytes(bytes, 4099, "f.csv line 1, column 2: the field is longer than 4096 bytes");
    for (size_t i = 0; i < SIZE; i += 4000) {
        bytes[i] = ',';
    }
    /* commas at 0, 1, 4000, 8000, ...: byte 65535 lies behind 64000, the 18th */
    bad_bytes(bytes, SIZE, "f.csv line 1, column 19: the record is longer than 65535 bytes");
    memset(bytes, ',', SIZE);
    bad_bytes(bytes, CSV_FIELDS_MAX, "f.csv line 1, column 193: more than 192 fields");
    free(bytes);
}

int main(void)
{
    test_good();
    test_bad_quotes();
    test_bad_characters();
    test_bad_sizes();
    return tap_done();
}
