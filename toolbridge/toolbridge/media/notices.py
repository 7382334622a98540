"""The texts that stand in the place of media which a model does not get. They are interface."""

UNPROCESSABLE_IMAGE = "image content omitted because it could not be processed"
LARGE_IMAGE = (
    "image content omitted because it exceeded the supported size limit; use a smaller image"
)
LOW_DETAIL = (
    "image content omitted because detail 'low' is not supported; use 'high', 'original', or 'auto'"
)
NO_AUDIO_INPUT = "audio content omitted because you do not support audio input"
UNSUPPORTED_AUDIO = (
    "audio content omitted because its format is not supported; use wav, mp3, m4a, webm, or ogg"
)
UNPROCESSABLE_AUDIO = "audio content omitted because it could not be processed"
LARGE_AUDIO = (
    "audio content omitted because it exceeded the supported size limit; use a shorter clip"
)
