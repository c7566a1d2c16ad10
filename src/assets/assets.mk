# ---- assets: the templates and the fonts of fonts/manifest, embedded in the program ------------

TEMPLATES := $(sort $(wildcard templates/*.mustache templates/lists/*.mustache templates/*.css) \
    templates/page.js)
BUNDLE := templates/bundle
GRAPH_MADE := $(BUILD)/graph.script $(BUILD)/graph.policy
GRAPH_ASSETS := graph/program=$(BUNDLE)/flame.js graph/style=$(BUNDLE)/flame.css \
    $(foreach part,script policy,graph/$(part)=$(BUILD)/graph.$(part))
FONT_FILES := $(wildcard $(shell awk -F'\t' 'NF > 2 { print $$3 }' fonts/manifest))

# The script of every SVG: the program, compressed, in a script that unpacks it. gzip writes no name
# and no time: the bytes depend on the program only. `make scripts` makes templates/bundle.
$(BUILD)/helpers/pack: $(BUILD)/templates/pack.o $(filter $(BUILD)/src/base/%,$(OBJECTS))
	@mkdir -p $(@D)
	$(call say,link)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(ALL_LIBS)
-include $(BUILD)/templates/pack.d
$(BUILD)/graph.script: $(BUNDLE)/flame.js $(BUNDLE)/unpack.js $(BUILD)/helpers/pack
	$(call say,pack)gzip -9n < $< | $(EMULATOR) $(BUILD)/helpers/pack $(BUNDLE)/unpack.js > $@
$(BUILD)/graph.policy: src/assets/policy.sh $(BUILD)/graph.script $(BUNDLE)/flame.js \
    $(BUNDLE)/flame.css templates/page.js templates/page.css
	$(call say,hash)bash $^ > $@

#: scripts          templates/bundle from the browser code of a graph, by esbuild
.PHONY: scripts
scripts:
	@bash templates/bundle.sh $(BUNDLE)
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
    $(GRAPH_MADE) $(BUNDLE)/flame.js $(BUNDLE)/flame.css $(PLAIN_MADE) $(BUILD)/members
	@mkdir -p $(@D)
	$(call say,embed)bash src/assets/embed.sh fonts/manifest $(TEMPLATES) $(GRAPH_ASSETS) \
	    fonts/plain=$(BUILD)/plain fonts/plain.packed=$(BUILD)/plain.packed \
	    about=$(BUILD)/about > $@
$(BUILD)/assets.o: $(BUILD)/assets.S
	$(call say,compile)PWD=/proc/self/cwd $(CC) -c -o $@ $<
