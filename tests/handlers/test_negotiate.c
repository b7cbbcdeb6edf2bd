/* Accept and Accept-Language, as browsers, curl and careless clients send them. */
#include "../../handlers/negotiate.h"

#include "../tap.h"

#include <string.h>

static void accepts(const char *accept, const char *wanted)
{
    enum media media = MEDIA_COUNT;
    const char *got = negotiate_media(accept, MEDIA_COUNT, &media) ? MEDIA_NAMES[media] : "406";

    tap_ok(strcmp(got, wanted) == 0, "Accept: %s: %s", accept == NULL ? "(absent)" : accept,
           wanted);
}

static void accepts_of_json(const char *accept, bool wanted)
{
    enum media media = MEDIA_COUNT;

    tap_ok(negotiate_media(accept, 1, &media) == wanted && (!wanted || media == MEDIA_JSON),
           "where there is JSON only, %s: %s", accept, wanted ? "JSON" : "406");
}

static void speaks(const char *accept_language, enum language wanted)
{
    tap_ok(negotiate_language(accept_language) == wanted, "Accept-Language: %s: %s",
           accept_language == NULL ? "(absent)" : accept_language, LANGUAGE_NAMES[wanted]);
}

int main(void)
{
    accepts(NULL, "json");
    accepts("", "json");
    accepts(" , ", "json");
    accepts("*/*", "json"); /* curl */
    accepts("application/json", "json");
    accepts("Application/JSON; charset=utf-8", "json");
    accepts("application/*;q=0.1", "json");
    accepts("text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8",
            "html");                                                 /* Firefox, Chromium */
    accepts("text/html, text/plain, text/sgml, */*;q=0.01", "html"); /* lynx */
    accepts("text/html, text/*;q=0.5, image/*", "html");             /* w3m */
    accepts("application/json, text/plain, */*", "json");            /* axios */
    accepts("text/html", "html");
    accepts("TEXT/HTML;level=1", "html");
    accepts("text/plain", "text");
    accepts("text/csv", "csv");
    accepts("text/csv; header=present", "csv");
    accepts("text/*", "text");
    accepts("text/*, text/html", "html");
    accepts("image/png, text/*", "text");
    accepts("text/csv;q=0.9, text/html;q=0.8", "csv");
    accepts("text/html;q=0.8, text/csv;q=0.9", "csv");
    accepts("text/csv, */*", "csv"); /* named beats meant */
    accepts("text/csv;q=0.5, */*;q=0.5", "csv");
    accepts("text/csv;q=0.5, */*;q=0.6", "json");
    accepts("text/plain;q=0, text/*", "html");
    accepts("text/plain;q=0.2, text/*;q=0.1, */*;q=0.3", "json");
    accepts("application/json;q=0.2, text/plain;q=0.201", "text");
    accepts("application/json;q=0.001", "json");
    accepts("application/json;q=0", "406");
    accepts("*/*, application/json;q=0", "html");
    accepts("*/*;q=0, application/json", "json");
    accepts("*/*;q=0", "406");
    accepts("application/json;q=0.0, */*", "html");
    accepts("application/problem+json", "406");
    accepts("application/xhtml+xml", "406");
    accepts("text/htmlx", "406");
    accepts("text", "406");
    accepts("*", "406");
    accepts("*/html", "406");
    accepts("nonsense", "406");
    accepts_of_json("text/html,*/*;q=0.8", true);
    accepts_of_json("text/html", false);
    accepts_of_json("text/*, application/json;q=0", false);
    speaks(NULL, LANGUAGE_EN);
    speaks("zh", LANGUAGE_ZH);
    speaks("zh-CN,zh;q=0.9,en;q=0.8", LANGUAGE_ZH);
    speaks("zh-Hans", LANGUAGE_ZH);
    speaks("ZH-hant-TW", LANGUAGE_ZH);
    speaks("en-US,en;q=0.9,zh;q=0.8", LANGUAGE_EN);
    speaks("de, zh;q=0.5", LANGUAGE_ZH);
    speaks("zh;q=0, en;q=0.1", LANGUAGE_EN);
    speaks("zh;q=0", LANGUAGE_EN);
    speaks("*", LANGUAGE_EN);
    speaks("zhx", LANGUAGE_EN);
    speaks(";;,,q=", LANGUAGE_EN);
    return tap_done();
}
