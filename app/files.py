"""Chooses where photos and mini codes lie: the data folder, or the bucket of the settings."""

from app.adapters.file_store import files_in_bucket, files_in_folder
from app.settings import Settings
from domain.files import FileStore

FILE_FOLDER = "files"


def open_files(settings: Settings) -> FileStore:
    """The store of this service. Nothing is asked of a bucket yet."""
    if not settings.bucket:
        return files_in_folder(settings.data_dir / FILE_FOLDER)
    return files_in_bucket(
        settings.bucket,
        settings.bucket_endpoint,
        settings.bucket_region,
        settings.bucket_key_id,
        settings.bucket_secret.get_secret_value(),
    )
