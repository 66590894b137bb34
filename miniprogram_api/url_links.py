"""Addresses that open the mini-program from a chat or a text message, as clients see them."""

from pydantic import BaseModel, ConfigDict


class UrlLinkOut(BaseModel):
    """Good for thirty days; null where there is none."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"url_link": "https://wxaurl.cn/Ab3dEf"}]})

    url_link: str | None
