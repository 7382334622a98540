from pathlib import Path
from tests.kernel.conftest import StartKernel
from tests.mcp_servers import scripted_command
ASKS = {"message": "Who?", "requestedSchema": {"type": "object", "properties": {"name": {"type": "string"}}}}
def errs(c): return [e['evalue'] for e in c.of('error')]
def test_real(start_kernel: StartKernel, tmp_path: Path) -> None:
    spec = {"tools": [{"name": "greet", "behaviour": {"elicit": ASKS}}, {"name": "bad", "description": "\ud800", "behaviour": {}},
      {"name": "loop", "outputSchema": {"$ref": "#"}, "behaviour": {"mcp_result": {"content": [{"type": "text", "text": "kept"}], "structuredContent": {"a": 1}}}},
      {"name": "swap", "behaviour": {"delay_ms": 300, "then_list": [{"name": "other", "behaviour": {}}]}}]}
    program, *args = scripted_command("s", spec, tmp_path)
    nb = start_kernel(mcp_servers={"s": {"command": program, "args": args}}, gate_rules='[{"decision":"allow"}]')
    c = nb.run('text(ALL_TOOLS.filter(t => t.name.startsWith("mcp")).map(t => t.name).join(" ")) /* mcp__s */'); print(c.text())
    c = nb.send('text("r " + (await tools.mcp__s__greet({})).content[0].text)'); nb.answer(''); print('EMPTY FORM', c.done().text())
    c = nb.run('text("r " + (await tools.mcp__s__loop({})).content[0].text)'); print('LOOP', c.text(), c.text('stderr'), errs(c))
    c = nb.run('%mcp'); print([d['data']['text/plain'] for d in c.of('display_data')])
    nb.run('''%%python
from toolbridge import tool, progress
@tool
def odd() -> str:
    progress(float('nan'), 2); progress(1, float('inf'), 5); return 'alive'
''')
    c = nb.run('text(await tools.odd())'); print('ODD', c.text(), errs(c)); print(nb.run('%%python\nodd').status)
    c = nb.run('const a = tools.mcp__s__swap({}); const b = tools.mcp__s__swap({}); text((await Promise.allSettled([a, b])).map(x => x.status + " " + (x.reason ?? x.value.content[0].text)).join("|"))'); print('SWAP', c.text(), errs(c))
    print(nb.run('text(ALL_TOOLS.filter(t => t.name.startsWith("mcp")).map(t => t.name).join(" "))').text())
