"""A dose that is changed for one time of the day stays what it was at the others."""

from tests.factories import Owner
from tests.fakes.phone import say


async def test_evening_dose_changes_and_the_morning_one_stays(owner: Owner) -> None:
    pet = await owner.pet("芋圆", "cat")
    await say(owner, "芋圆每天打两次胰岛素，早上3个单位晚上1.5个单位", "told")
    await say(owner, "医生说芋圆的胰岛素晚上改成2个单位", "changed")
    await say(owner, "对，改", "yes")
    drugs = await owner.get(f"/pets/{pet['id']}/medications")
    current = [drug for drug in drugs["items"] if drug["status"] == "active"]
    assert [drug["dose_text"] for drug in current] == ["早上3个单位晚上2个单位"]
