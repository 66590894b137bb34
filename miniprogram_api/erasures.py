"""Closing the account: everything is erased, and a receipt tells how far it is."""

from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Path, Request
from pydantic import BaseModel, ConfigDict, Field

from domain.account_erasure import ErasureState, erase_account, erasure_state
from domain.owner_profiles import owner_of
from miniprogram_api.deps import Acting
from miniprogram_api.examples import AT
from miniprogram_api.parts import parts_of

router = APIRouter(tags=["我的"])

_RECEIPT = "q3X0b1m2-Jk4nV7tYw9cRr5Zs8Uf6Ah0"


class ErasureReceipt(BaseModel):
    """`receipt` is told once: `GET /erasures/{receipt}` needs no sign-in."""

    job_id: str = Field(examples=["0197f0a9-5d71-7f24-8c0e-3b9a1d2e4f60"])
    receipt: str = Field(examples=[_RECEIPT])


class ErasureOut(BaseModel):
    model_config = ConfigDict(
        json_schema_extra={"examples": [{"status": "done", "asked_at": AT, "done_at": "2026-03-01T07:31:10Z"}]}
    )

    status: ErasureState
    asked_at: datetime
    done_at: datetime | None


@router.delete("/me", status_code=202, summary="注销账号并删除全部数据")
async def close_account(call: Acting) -> ErasureReceipt:
    """Pets, records, memories, messages and sign-ins are gone with this answer; copies in engines and files follow."""
    owner = await owner_of(call.session, call.scope)
    made = await erase_account(call.session, owner, call.real_now)
    return ErasureReceipt(job_id=made.job_id, receipt=made.receipt)


@router.get("/erasures/{receipt}", summary="注销进度")
async def read_erasure(
    receipt: Annotated[str, Path(min_length=1, max_length=64, examples=[_RECEIPT])], request: Request
) -> ErasureOut:
    """Without a sign-in: the account is gone."""
    async with parts_of(request).transactions.read() as session:
        status, asked_at, done_at = await erasure_state(session, receipt)
    return ErasureOut(status=status, asked_at=asked_at, done_at=done_at)
