"""Vectors of the message push from WeChat's manual: what both sides' crypto must reproduce."""

TOKEN, KEY, APPID = "AAAAA", "A" * 43, "wxba5fad812f8e6fb9"

SIGNATURES = [
    (("1714036504", "1514711492"), "f464b24fc39322e44b38aa78f5edd27bd1441696"),
    (("1714037059", "486452656"), "899cf89e464efb63f54ddac96b0a0a235f53aa78"),
    (("1714112445", "415670741"), "6c5c811b55cc85e0e1b54100749188c20beb3f5d"),
]

INCOMING = (
    "+qdx1OKCy+5JPCBFWw70tm0fJGb2Jmeia4FCB7kao+/Q5c/ohsOzQHi8khUOb05JCpj0JB4RvQMkUyus8TPxLKJGQqcvZqzDpVzazhZv6JsXUnnR8XGT"
    "740XgXZUXQ7vJVnAG+tE8NUd4yFyjPy7GgiaviNrlCTj+l5kdfMuFUPpRSrfMZuMcp3Fn2Pede2IuQrKEYwKSqFIZoNqJ4M8EajAsjLY2km32IIjdf8Y"
    "L/P50F7mStwntrA2cPDrM1kb6mOcfBgRtWygb3VIYnSeOBrebufAlr7F9mFUPAJGj04="
)
INCOMING_AT = ("1714112445", "415670741")
INCOMING_SIGNATURE = "046e02f8204d34f8ba5fa3b1db94908f3df2e9b3"
INCOMING_PREFIX = b"a8eedb185eb2fecf"
INCOMING_MESSAGE = (
    b'{"ToUserName":"gh_97417a04a28d","FromUserName":"o9AgO5Kd5ggOC-bXrbNODIiE3bGY","CreateTime":1714112445,'
    b'"MsgType":"event","Event":"debug_demo","debug_str":"hello world"}'
)

OUTGOING_PREFIX, OUTGOING_MESSAGE = b"707722b803182950", b'{"demo_resp":"good luck"}'
OUTGOING = "ELGduP2YcVatjqIS+eZbp80MNLoAUWvzzyJxgGzxZO/5sAvd070Bs6qrLARC9nVHm48Y4hyRbtzve1L32tmxSQ=="
OUTGOING_AT = ("1713424427", "415670741")
OUTGOING_SIGNATURE = "1b9339964ed2e271e7c7b6ff2b0ef902fc94dea1"
