# ---- assets: the templates and the fonts of fonts/manifest, embedded in the program ------------

TEMPLATES := $(sort $(wildcard templates/*.mustache templates/lists/*.mustache templates/*.css) \
    templates/page.js)
GRAPH_PARTS := $(wildcard templates/*.js templates/*.css)
GRAPH_MADE := script program style policy
GRAPH_ASSETS := $(foreach part,$(GRAPH_MADE),graph/$(part)=$(BUILD)/graph.$(part))
FONT_FILES := $(wildcard $(shell awk -F'\t' 'NF > 2 { print $$3 }' fonts/manifest))

GRAPH_HELPERS := $(BUILD)/helpers/minify $(BUILD)/helpers/pack
$(GRAPH_HELPERS): $(BUILD)/helpers/%: $(BUILD)/templates/%.o \
    $(filter $(BUILD)/src/base/%,$(OBJECTS))
	@mkdir -p $(@D)
	$(call say,link)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(ALL_LIBS)
-include $(BUILD)/templates/minify.d $(BUILD)/templates/pack.d
$(GRAPH_MADE:%=$(BUILD)/graph.%) &: src/assets/graph.sh $(GRAPH_PARTS) $(GRAPH_HELPERS)
	@mkdir -p $(@D)
	$(call say,assemble)HELPERS=$(BUILD)/helpers bash src/assets/graph.sh all $(BUILD)/graph
$(BUILD)/about: force
	@mkdir -p $(@D)
	@about=$$(packaging/about '$(LIB_LIBS)' $(LIBRARIES)) && \
	    { printf '%s\n' "$$about" | cmp -s - $@ || printf '%s\n' "$$about" > $@; }
# What most graphs need of the first font, found out by a program of the same source.
PLAIN_OBJECTS := $(filter $(BUILD)/src/base/% $(BUILD)/src/compress/%,$(OBJECTS)) \
    $(addprefix $(BUILD)/src/,text/hb.o text/plain.o text/shape.o text/subset.o \
    text/unicode.o output/deflate.o)
PLAIN_MADE := $(BUILD)/plain $(BUILD)/plain.packed
$(BUILD)/helpers/plain: $(BUILD)/fonts/plain.o $(PLAIN_OBJECTS)
	@mkdir -p $(@D)
	$(call say,link)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(ALL_LIBS)
$(PLAIN_MADE) &: $(BUILD)/helpers/plain fonts/manifest $(FONT_FILES)
	$(call say,learn)$(EMULATOR) $(BUILD)/helpers/plain \
	    "$$(awk -F'\t' '/^[^#]/ { print $$3; exit }' fonts/manifest)" $(PLAIN_MADE)
-include $(BUILD)/fonts/plain.d

$(BUILD)/assets.S: src/assets/embed.sh fonts/manifest $(TEMPLATES) $(FONT_FILES) $(BUILD)/about \
    $(GRAPH_MADE:%=$(BUILD)/graph.%) $(PLAIN_MADE) $(BUILD)/members
	@mkdir -p $(@D)
	$(call say,embed)bash src/assets/embed.sh fonts/manifest $(TEMPLATES) $(GRAPH_ASSETS) \
	    fonts/plain=$(BUILD)/plain fonts/plain.packed=$(BUILD)/plain.packed \
	    about=$(BUILD)/about > $@
$(BUILD)/assets.o: $(BUILD)/assets.S
	$(call say,compile)PWD=/proc/self/cwd $(CC) -c -o $@ $<
