/* Accept and Accept-Language, as browsers, curl and careless clients send them. */
#include "../../handlers/negotiate.h"

#include "../tap.h"

static void accepts(const char *accept, bool wanted)
{
    tap_ok(negotiate_accepts(accept, "application", "json") == wanted, "Accept: %s: %s",
           accept == NULL ? "(absent)" : accept, wanted ? "JSON" : "406");
}

static void speaks(const char *accept_language, enum language wanted)
{
    tap_ok(negotiate_language(accept_language) == wanted, "Accept-Language: %s: %s",
           accept_language == NULL ? "(absent)" : accept_language, LANGUAGE_NAMES[wanted]);
}

int main(void)
{
    accepts(NULL, true);
    accepts("", true);
    accepts("*/*", true);
    accepts("application/json", true);
    accepts("Application/JSON; charset=utf-8", true);
    accepts("application/*;q=0.1", true);
    accepts("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", true);
    accepts("text/html", false);
    accepts("image/png, text/*", false);
    accepts("application/json;q=0", false);
    accepts("*/*, application/json;q=0", false);
    accepts("*/*;q=0, application/json", true);
    accepts("application/json;q=0.0, */*", false);
    accepts("application/problem+json", false);
    accepts("nonsense", false);
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
