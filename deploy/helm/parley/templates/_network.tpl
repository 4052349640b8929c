{{- define "parley.egressDns" -}}
- to: {{- toYaml .Values.networkPolicy.dns | nindent 4 }}
  ports:
    - { protocol: UDP, port: 53 }
    - { protocol: TCP, port: 53 }
{{- end -}}

{{/* Takes a dict of to (peers; none: anywhere) and port. */}}
{{- define "parley.egressTo" -}}
- ports:
    - { protocol: TCP, port: {{ .port }} }
  {{- with .to }}
  to: {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end -}}

{{- define "parley.peer" -}}
- podSelector:
    matchLabels: {{- include "parley.selector" . | nindent 6 }}
{{- end -}}
