"""The smallest Flask application, with our server or Flask's: the minimal cost of a start.

`python -m tests.bench.services.bare_flask uvicorn|werkzeug PORT`
"""

from __future__ import annotations

import sys

from flask import Flask

app = Flask("bare")


@app.get("/")
def page() -> str:
    """Return the page."""
    return "<p>Here.</p>"


def serve(server: str, port: int) -> None:
    """Serve with *server* until a signal; the other server isn't imported."""
    if server == "werkzeug":
        app.run("127.0.0.1", port)
        return
    import uvicorn
    from a2wsgi import WSGIMiddleware

    wsgi = WSGIMiddleware(app.wsgi_app, workers=4)
    uvicorn.run(
        wsgi, host="127.0.0.1", port=port, loop="asyncio", http="h11", ws="none", lifespan="off", log_config=None
    )


if __name__ == "__main__":
    serve(sys.argv[1], int(sys.argv[2]))
