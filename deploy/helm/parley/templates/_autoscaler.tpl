{{/* Scaling up is quick. Scaling down waits until the load has been low for long, and takes one pod at a time, whose streams end first. */}}
{{- define "parley.scalingBehavior" -}}
scaleUp:
  stabilizationWindowSeconds: 0
  policies:
    - { type: Percent, value: 100, periodSeconds: 30 }
scaleDown:
  stabilizationWindowSeconds: {{ .stabilizationWindowSeconds }}
  policies:
    - { type: Pods, value: 1, periodSeconds: {{ .podSeconds }} }
{{- end -}}

{{- define "parley.inFlightMetric" -}}
{{- if eq . "edge" -}}parley_requests_in_flight{{- else -}}parley_turns_in_flight{{- end -}}
{{- end -}}

{{/* Takes a dict of root, name, facts and settings. */}}
{{- define "parley.autoscaler" }}
{{- $scaling := .settings.autoscaling }}
{{- $fullname := printf "%s-%s" (include "parley.fullname" .root) .name }}
{{- $counts := and .facts.streams (gt (int $scaling.inFlight) 0) }}
{{- if eq $scaling.kind "hpa" }}
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  name: {{ $fullname }}
  labels: {{- include "parley.labels" . | nindent 4 }}
spec:
  scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: {{ $fullname }} }
  minReplicas: {{ $scaling.minReplicas }}
  maxReplicas: {{ $scaling.maxReplicas }}
  metrics:
    - type: Resource
      resource:
        name: cpu
        target: { type: Utilization, averageUtilization: {{ $scaling.cpu }} }
    {{- if $counts }}
    # Of the API of custom metrics, such as prometheus-adapter, summed for each pod.
    - type: Pods
      pods:
        metric: { name: {{ include "parley.inFlightMetric" .name }} }
        target: { type: AverageValue, averageValue: {{ $scaling.inFlight | toString | quote }} }
    {{- end }}
  behavior: {{- include "parley.scalingBehavior" .root.Values.autoscaling.scaleDown | nindent 4 }}
{{- else }}
---
apiVersion: keda.sh/v1alpha1
kind: ScaledObject
metadata:
  name: {{ $fullname }}
  labels: {{- include "parley.labels" . | nindent 4 }}
spec:
  scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: {{ $fullname }} }
  minReplicaCount: {{ $scaling.minReplicas }}
  maxReplicaCount: {{ $scaling.maxReplicas }}
  {{- if $counts }}
  # A Prometheus that does not answer must not take replicas away.
  fallback: { failureThreshold: 3, replicas: {{ $scaling.maxReplicas }} }
  {{- end }}
  advanced:
    horizontalPodAutoscalerConfig:
      behavior: {{- include "parley.scalingBehavior" .root.Values.autoscaling.scaleDown | nindent 8 }}
  triggers:
    - type: cpu
      metricType: Utilization
      metadata: { value: {{ $scaling.cpu | toString | quote }} }
    {{- if $counts }}
    - type: prometheus
      metricType: AverageValue
      metadata:
        serverAddress: {{ .root.Values.autoscaling.prometheusAddress }}
        query: sum({{ include "parley.inFlightMetric" .name }}{namespace="{{ .root.Release.Namespace }}", process="{{ .name }}"}) or vector(0)
        threshold: {{ $scaling.inFlight | toString | quote }}
    {{- end }}
{{- end }}
{{- end -}}
