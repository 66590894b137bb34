"""Who looked: exports, imports, what operators did, and vets who opened a link."""

from datetime import datetime

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict

from domain.access_log import What, Who, accesses_of
from miniprogram_api.deps import Looking
from miniprogram_api.examples import AT
from miniprogram_api.pagination import Page, Paging, page_of

router = APIRouter(tags=["我的"])


class AccessOut(BaseModel):
    """One access. `detail`: for a vet, to whom the link was given and on what it was opened."""

    model_config = ConfigDict(
        from_attributes=True,
        json_schema_extra={
            "examples": [
                {
                    "id": "0197f0aa-7e93-76b9-9f7a-8b9cadbecadb",
                    "at": AT,
                    "who": "vet",
                    "what": "share_opened",
                    "detail": "阳光动物医院 · 手机 · 微信",
                }
            ]
        },
    )

    id: str
    at: datetime
    who: Who
    what: What
    detail: str


@router.get("/me/access-log", summary="谁看过我的数据")
async def read_access_log(call: Looking, paging: Paging) -> Page[AccessOut]:
    """Newest first."""
    rows = await accesses_of(call.session, call.scope, paging.one_more, paging.after)
    return page_of(rows, paging, AccessOut.model_validate)
