import { HTTPRoute } from '@kubernetes-models/gateway-api/gateway.networking.k8s.io/v1';
import { ScaledObject } from '@kubernetes-models/keda/keda.sh/v1alpha1';
import { PrometheusRule, ServiceMonitor } from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1';
import { Deployment } from 'kubernetes-models/apps/v1';
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2';
import { Job } from 'kubernetes-models/batch/v1';
import { Ingress, NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1';
import { ConfigMap, Pod, Service, ServiceAccount } from 'kubernetes-models/v1';
import { type KubernetesModel } from './check-manifest.ts';

const MODELS = [
  ...[Deployment, HorizontalPodAutoscaler, Job, Ingress, NetworkPolicy, PodDisruptionBudget, ConfigMap, Pod, Service, ServiceAccount],
  ...[HTTPRoute, ScaledObject, PrometheusRule, ServiceMonitor],
];

/** The models of the kinds that the chart renders, by `apiVersion/kind`. */
export const MODELS_BY_KIND: ReadonlyMap<string, KubernetesModel> = new Map(
  MODELS.map((model) => [`${model.apiVersion}/${model.kind}`, model as unknown as KubernetesModel]),
);
