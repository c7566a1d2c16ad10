// The script of a graph as it is in the SVG: unpacks the program and runs it.
//
// The program is the other flame*.js files, without comments and indentation, compressed by gzip as
// base64. It is a script element of its own while it starts, so a security policy needs its hash as
// well as this script's. A nonce of this script is the program's, too.

(function (own) {
    const stream = new DecompressionStream('gzip'), writer = stream.writable.getWriter();

    writer.write(Uint8Array.from(atob('@PROGRAM@'), c => c.charCodeAt(0)));
    writer.close();
    new Response(stream.readable).text().then(text => {
        const program = document.createElementNS(own.namespaceURI, 'script');

        program.nonce = own.nonce;
        program.textContent = text;
        own.after(program);
        program.remove();
    });
})(document.currentScript);
