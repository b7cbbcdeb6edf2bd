/* Accept-Encoding and If-None-Match, by RFC 9110. */
#include "../../server/http_headers.h"

#include "../tap.h"

static void test_codings(void)
{
    static const struct {
        const char *value;
        enum http_coding coding;
    } CASES[] = {
        {NULL, HTTP_CODING_IDENTITY},
        {"", HTTP_CODING_IDENTITY},
        {"gzip", HTTP_CODING_GZIP},
        {"GZip", HTTP_CODING_GZIP},
        {"x-gzip", HTTP_CODING_GZIP},
        {"gzip, deflate, br, zstd", HTTP_CODING_GZIP},
        {"deflate, br", HTTP_CODING_IDENTITY},
        {"br;q=1.0, gzip;q=0.8, *;q=0.1", HTTP_CODING_GZIP},
        {"*", HTTP_CODING_GZIP},
        {"*;q=0.5", HTTP_CODING_GZIP},
        {"gzip;q=0", HTTP_CODING_IDENTITY},
        {"gzip;q=0.000", HTTP_CODING_IDENTITY},
        {"gzip;q=0, *", HTTP_CODING_IDENTITY},
        {"gzip;q=0.001", HTTP_CODING_GZIP},
        {"gzip;q=0.5, identity", HTTP_CODING_IDENTITY},
        {"gzip;q=0.5, identity;q=0.5", HTTP_CODING_GZIP},
        {"identity;q=0.5, gzip;q=0.6", HTTP_CODING_GZIP},
        {"identity", HTTP_CODING_IDENTITY},
        {"gzip, identity;q=0", HTTP_CODING_GZIP_ONLY},
        {"gzip, *;q=0", HTTP_CODING_GZIP_ONLY},
        {"*, identity;q=0", HTTP_CODING_GZIP_ONLY},
        {"identity;q=0", HTTP_CODING_NONE},
        {"*;q=0", HTTP_CODING_NONE},
        {"br, *;q=0", HTTP_CODING_NONE},
        {"*;q=0, identity", HTTP_CODING_IDENTITY},
        {"*;q=0, identity;q=0.1, gzip;q=0.2", HTTP_CODING_GZIP},
        {"gzip ; q=0", HTTP_CODING_IDENTITY},
        {"gzipped", HTTP_CODING_IDENTITY},
        {", ,gzip,", HTTP_CODING_GZIP},
    };

    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        enum http_coding coding = http_headers_coding(CASES[i].value);

        tap_ok(coding == CASES[i].coding, "Accept-Encoding: %s is %d",
               CASES[i].value == NULL ? "(none)" : CASES[i].value, (int)coding);
    }
}

static void test_tags(void)
{
    static const char TAG[] = "\"0123456789abcdef\"";
    static const struct {
        const char *value;
        bool is_held;
    } CASES[] = {
        {NULL, false},
        {"\"0123456789abcdef\"", true},
        {"W/\"0123456789abcdef\"", true},
        {"w/\"0123456789abcdef\"", false},
        {"\"x\", W/\"y,z\" ,\"0123456789abcdef\"", true},
        {"\"x\",\"y\"", false},
        {"*", true},
        {" * ", true},
        {"\"0123456789abcdeX\"", false},
        {"\"0123456789abcdef-gzip\"", false}, /* a proxy's: it made another representation */
        {"\"0123456789abcdef-z01234567\"", false},
        {"0123456789abcdef", false},
        {"\"0123456789abcdef", false},
        {"\"\"", false},
        {"", false},
    };

    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        tap_ok(http_headers_has_tag(CASES[i].value, TAG) == CASES[i].is_held, "If-None-Match: %s",
               CASES[i].value == NULL ? "(none)" : CASES[i].value);
    }
}

int main(void)
{
    test_codings();
    test_tags();
    return tap_done();
}
