{{/* A container that applies the migrations of one component and ends. */}}
{{- define "parley.migrator" -}}
- name: {{ .name }}
  image: {{ include "parley.image" .root | quote }}
  imagePullPolicy: {{ .root.Values.image.pullPolicy }}
  args: [deploy/dist/bundle/{{ .name }}.js]
  env:
    {{- include "parley.databaseVariable" .root | nindent 4 }}
    - { name: PARLEY_MIGRATE, value: only }
    - { name: PARLEY_LOG_LEVEL, value: {{ .root.Values.logLevel }} }
  {{- with .root.Values.envFrom }}
  envFrom: {{- toYaml . | nindent 4 }}
  {{- end }}
  resources: {{- toYaml .root.Values.migrations.resources | nindent 4 }}
  securityContext: {{- toYaml .root.Values.containerSecurityContext | nindent 4 }}
  volumeMounts:
    - { name: tmp, mountPath: /tmp }
    {{- with .root.Values.extraVolumeMounts }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
{{- end -}}
