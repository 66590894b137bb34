"""HTTP and WeChat translated to domain calls. One file a group of calls; `errors` maps every refusal to a status."""
