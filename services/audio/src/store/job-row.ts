/** Columns of a query whose rows are `StoredJob`s. */
export const JOB_COLUMNS = `
  speech_jobs.id, speech_jobs.workspace_id AS "workspaceId", speech_jobs.key_id AS "keyId", speech_jobs.retry_of AS "retryOf",
  speech_jobs.status, speech_jobs.provider, speech_jobs.voice, speech_jobs.model, speech_jobs.language,
  speech_jobs.response_format AS "responseFormat", speech_jobs.provider_options AS "providerOptions",
  speech_jobs.input_characters AS "inputCharacters", speech_jobs.progress, speech_jobs.output_mime_type AS "outputMimeType",
  speech_jobs.output_size_bytes::float8 AS "outputSizeBytes", speech_jobs.duration_ms AS "durationMs", speech_jobs.sha256,
  speech_jobs.blob_key AS "blobKey", speech_jobs.work_ms AS "workMs", speech_jobs.error_condition AS "errorCondition",
  speech_jobs.error_message AS "errorMessage", speech_jobs.created_at AS "createdAt", speech_jobs.updated_at AS "updatedAt",
  speech_jobs.expires_at AS "expiresAt", speech_jobs.request_id AS "requestId", speech_jobs.traceparent`;
