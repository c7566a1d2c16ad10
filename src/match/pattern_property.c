#include "base/die.h"
#include "match/pattern.h"

/* General categories by their long names, and their short ones for PCRE2. */
static const struct {
    const char *name, *value;
} categories[] = {
    {"Cased_Letter", "L&"},
    {"Close_Punctuation", "Pe"},
    {"Connector_Punctuation", "Pc"},
    {"Control", "Cc"},
    {"Currency_Symbol", "Sc"},
    {"Dash_Punctuation", "Pd"},
    {"Decimal_Number", "Nd"},
    {"Enclosing_Mark", "Me"},
    {"Final_Punctuation", "Pf"},
    {"Format", "Cf"},
    {"Initial_Punctuation", "Pi"},
    {"LC", "L&"},
    {"Letter", "L"},
    {"Letter_Number", "Nl"},
    {"Line_Separator", "Zl"},
    {"Lowercase_Letter", "Ll"},
    {"Mark", "M"},
    {"Math_Symbol", "Sm"},
    {"Modifier_Letter", "Lm"},
    {"Modifier_Symbol", "Sk"},
    {"Nonspacing_Mark", "Mn"},
    {"Number", "N"},
    {"Open_Punctuation", "Ps"},
    {"Other", "C"},
    {"Other_Letter", "Lo"},
    {"Other_Number", "No"},
    {"Other_Punctuation", "Po"},
    {"Other_Symbol", "So"},
    {"Paragraph_Separator", "Zp"},
    {"Private_Use", "Co"},
    {"Punctuation", "P"},
    {"Separator", "Z"},
    {"Space_Separator", "Zs"},
    {"Spacing_Mark", "Mc"},
    {"Symbol", "S"},
    {"Titlecase_Letter", "Lt"},
    {"Unassigned", "Cn"},
    {"Uppercase_Letter", "Lu"},
    {"cntrl", "Cc"},
    {"digit", "Nd"},
    {"punct", "P"},
};

static const char short_categories[] =
    " L Lu Ll Lt Lm Lo M Mn Mc Me N Nd Nl No P Pc Pd Ps Pe Pi Pf Po S Sm Sc Sk So Z Zs Zl Zp C Cc "
    "Cf Co Cn ";

/* Properties that are true or false, as both languages call them. */
static const char binary_properties[] =
    " ASCII ASCII_Hex_Digit AHex Alphabetic Alpha Any Bidi_Control Bidi_C Bidi_Mirrored Bidi_M "
    "Case_Ignorable CI Cased Changes_When_Casefolded CWCF Changes_When_Casemapped CWCM "
    "Changes_When_Lowercased CWL Changes_When_Titlecased CWT Changes_When_Uppercased CWU Dash "
    "Default_Ignorable_Code_Point DI Deprecated Dep Diacritic Dia Emoji Emoji_Component EComp "
    "Emoji_Modifier EMod Emoji_Modifier_Base EBase Emoji_Presentation EPres "
    "Extended_Pictographic ExtPict Extender Ext Grapheme_Base Gr_Base Grapheme_Extend Gr_Ext "
    "Hex_Digit Hex ID_Continue IDC ID_Start IDS Ideographic Ideo Join_Control Join_C "
    "Logical_Order_Exception LOE Lowercase Lower Math Noncharacter_Code_Point NChar "
    "Pattern_Syntax Pat_Syn Pattern_White_Space Pat_WS Quotation_Mark QMark Radical "
    "Regional_Indicator RI Sentence_Terminal STerm Soft_Dotted SD Terminal_Punctuation Term "
    "Unified_Ideograph UIdeo Uppercase Upper Variation_Selector VS White_Space space "
    "XID_Continue XIDC XID_Start XIDS ";

/* Whether a list of words, each between blanks, has this one. */
static bool has_word(const char *list, struct slice word)
{
    struct slice rest = slice_str(list), next;

    while (slice_word(&rest, &next))
        if (slice_equal(next, word))
            return true;
    return false;
}

static void add_property(struct buf *out, struct slice name, bool negated)
{
    buf_printf(out, "\\%c{%.*s}", negated ? 'P' : 'p', SLICE_ARG(name));
}

static bool add_category(struct buf *out, struct slice name, bool negated)
{
    for (size_t i = 0; i < sizeof(categories) / sizeof(categories[0]); i++) {
        if (slice_equal(name, slice_str(categories[i].name))) {
            add_property(out, slice_str(categories[i].value), negated);
            return true;
        }
    }
    if (!has_word(short_categories, name))
        return false;
    add_property(out, name, negated);
    return true;
}

/* Which scripts there are, PCRE2 knows. */
static bool is_script_name(struct slice name)
{
    for (size_t i = 0; i < name.len; i++)
        if (!((name.ptr[i] | 0x20) >= 'a' && (name.ptr[i] | 0x20) <= 'z') && name.ptr[i] != '_')
            return false;
    return name.len > 0 && name.ptr[0] >= 'A' && name.ptr[0] <= 'Z';
}

bool pattern_property(struct buf *out, struct slice name, bool negated)
{
    struct slice value = name, key;

    if (!slice_cut(&value, '=', &key))
        return false;
    if (key.len == name.len) {
        if (add_category(out, name, negated))
            return true;
        if (slice_equal(name, SLICE("Assigned"))) {
            add_property(out, SLICE("Cn"), !negated);
            return true;
        }
        if (!has_word(binary_properties, name))
            return false;
        add_property(out, name, negated);
        return true;
    }
    if (slice_equal(key, SLICE("General_Category")) || slice_equal(key, SLICE("gc")))
        return add_category(out, value, negated);
    if (!has_word(" Script sc Script_Extensions scx ", key) || !is_script_name(value))
        return false;
    add_property(out, name, negated);
    return true;
}
