{{/* Probes: the edge over HTTP, the others by the standard health service, which says NOT_SERVING while it drains. Kubernetes asks no liveness of a pod that ends. */}}
{{- define "parley.probe" -}}
{{- if eq .name "edge" -}}
httpGet: { path: {{ .path }}, port: http }
{{- else -}}
grpc: { port: 50051 }
{{- end -}}
{{- end -}}

{{- define "parley.spread" -}}
{{- range list "kubernetes.io/hostname" "topology.kubernetes.io/zone" }}
- maxSkew: 1
  topologyKey: {{ . }}
  whenUnsatisfiable: ScheduleAnyway
  matchLabelKeys: [pod-template-hash]
  labelSelector:
    matchLabels: {{- include "parley.selector" $ | nindent 6 }}
{{- end }}
{{- end -}}

{{/* The pod of a component. Takes a dict of root, name, facts and settings. */}}
{{- define "parley.pod" -}}
{{- $values := .root.Values -}}
{{- $settings := .settings -}}
metadata:
  labels:
    {{- include "parley.labels" . | nindent 4 }}
    parley.dev/metrics: 'true'
    {{- with $settings.podLabels }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
  {{- with $settings.podAnnotations }}
  annotations: {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  serviceAccountName: {{ include "parley.fullname" .root }}-{{ .name }}
  automountServiceAccountToken: false
  enableServiceLinks: false
  terminationGracePeriodSeconds: {{ include "parley.grace" . }}
  securityContext: {{- toYaml $values.podSecurityContext | nindent 4 }}
  {{- with $values.image.pullSecrets }}
  imagePullSecrets: {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with $settings.priorityClassName }}
  priorityClassName: {{ . }}
  {{- end }}
  {{- with $settings.nodeSelector }}
  nodeSelector: {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with $settings.tolerations }}
  tolerations: {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with $settings.affinity }}
  affinity: {{- toYaml . | nindent 4 }}
  {{- end }}
  topologySpreadConstraints: {{- $settings.topologySpreadConstraints | empty | ternary (include "parley.spread" .) (toYaml $settings.topologySpreadConstraints) | nindent 4 }}
  containers:
    - name: {{ .name }}
      image: {{ include "parley.image" .root | quote }}
      imagePullPolicy: {{ $values.image.pullPolicy }}
      args: [deploy/dist/bundle/{{ .name }}.js]
      env: {{- include "parley.environment" . | nindent 8 }}
      {{- with concat $values.envFrom $settings.envFrom }}
      envFrom: {{- toYaml . | nindent 8 }}
      {{- end }}
      ports:
        {{- if eq .name "edge" }}
        - { name: http, containerPort: 8080 }
        {{- else }}
        - { name: grpc, containerPort: 50051 }
        {{- end }}
        {{- with .facts.http }}
        - { name: http, containerPort: {{ . }} }
        {{- end }}
        - { name: metrics, containerPort: 9464 }
      # Long enough to wait for a schema.
      startupProbe:
        {{- include "parley.probe" (dict "name" .name "path" "/livez") | nindent 8 }}
        periodSeconds: 2
        timeoutSeconds: 2
        failureThreshold: 180
      livenessProbe:
        {{- include "parley.probe" (dict "name" .name "path" "/livez") | nindent 8 }}
        periodSeconds: 10
        timeoutSeconds: 5
        failureThreshold: 3
      readinessProbe:
        {{- include "parley.probe" (dict "name" .name "path" "/readyz") | nindent 8 }}
        periodSeconds: 5
        timeoutSeconds: 3
        failureThreshold: 2
      {{- with $values.drain.preStopSeconds }}
      lifecycle:
        preStop:
          sleep: { seconds: {{ . }} }
      {{- end }}
      resources: {{- toYaml $settings.resources | nindent 8 }}
      securityContext: {{- toYaml $values.containerSecurityContext | nindent 8 }}
      volumeMounts:
        - { name: tmp, mountPath: /tmp }
        {{- if eq .name "audio" }}
        - { name: scratch, mountPath: /scratch }
        {{- end }}
        {{- if and .facts.blobs (eq $values.blobs.store "volume") }}
        - { name: blobs, mountPath: /data }
        {{- end }}
        {{- with $values.extraVolumeMounts }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
  volumes:
    - name: tmp
      emptyDir: { sizeLimit: {{ $settings.tmpSize }} }
    {{- if eq .name "audio" }}
    - name: scratch
      emptyDir: { sizeLimit: {{ $settings.tmpSize }} }
    {{- end }}
    {{- if and .facts.blobs (eq $values.blobs.store "volume") }}
    - name: blobs
      persistentVolumeClaim:
        claimName: {{ required "blobs.volume.existingClaim names the claim" $values.blobs.volume.existingClaim }}
    {{- end }}
    {{- with $values.extraVolumes }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
{{- end -}}
