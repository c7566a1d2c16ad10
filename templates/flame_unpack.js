// The script of a graph as it is in the SVG: unpacks the program and runs it.
//
// The program is the other modules flame*.js, made one by bundle.sh and compressed by gzip. pack.c
// puts its size for PROGRAM_SIZE, and for PROGRAM a string of 91 characters, two for 13 bits. The
// program is a script element of its own while it starts, so a security policy needs its hash as
// well as this script's. A nonce of this script is the program's, too.

/* global PROGRAM, PROGRAM_SIZE */

(function (own) {
    const bytes = new Uint8Array(PROGRAM_SIZE), text = PROGRAM;
    const stream = new DecompressionStream('gzip'), writer = stream.writable.getWriter();
    const place = i => {
        const code = text.charCodeAt(i);

        return code - 32 - (code > 34) - (code > 60) - 2 * (code > 93);
    };

    for (let i = 0, at = 0, waiting = 0, count = 0; i < text.length; i += 2) {
        waiting |= place(i) + 91 * place(i + 1) << count;
        for (count += 13; count > 7; count -= 8) {
            bytes[at++] = waiting;
            waiting >>= 8;
        }
    }
    writer.write(bytes);
    writer.close();
    new Response(stream.readable).text().then(text => {
        const program = document.createElementNS(own.namespaceURI, 'script');

        program.nonce = own.nonce;
        program.textContent = text;
        own.after(program);
        program.remove();
    });
})(document.currentScript);
