import { describe, expect, it } from '@jest/globals';
import { type Connection } from '../connections/connection.ts';
import { type ProfileRow, type RoutingProject } from '../store/routing-rules.ts';
import { type RouteCriteria, toRouteReason } from './route-reason.ts';

const named = { id: 'named' } as Connection;
const project = { id: 'project' } as RoutingProject;
const profile: ProfileRow = { slug: 'p', accountLabels: ['a', 'b'], model: '', strategy: 'least_loaded', weights: [] };

describe('toRouteReason', () => {
  it.each<[string, RouteCriteria, string]>([
    ['a connection that the request names', { named, project, profile, eligible: 1 }, 'named'],
    ['the connection of a project', { project, profile, eligible: 1 }, 'project'],
    ['one of the labels of a profile', { profile, eligible: 2 }, 'profile'],
    ['the only one', { profile: undefined, eligible: 1 }, 'only'],
    ['the best of several', { profile: undefined, eligible: 2 }, 'healthiest'],
    ['the best of all, where a profile has no labels', { profile: { ...profile, accountLabels: [] }, eligible: 3 }, 'healthiest'],
  ])('explains %s', (_name, facts, reason) => {
    expect(toRouteReason(facts)).toBe(reason);
  });
});
