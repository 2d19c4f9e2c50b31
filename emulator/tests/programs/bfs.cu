// Breadth-first search, level by level, with a flag that the host resets and reads.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <queue>

struct Node { int starting; int no_of_edges; };
#define MAX_THREADS_PER_BLOCK 256

__global__ void Kernel(Node* g_graph_nodes, int* g_graph_edges, bool* g_graph_mask, bool* g_updating_graph_mask,
                       bool *g_graph_visited, int* g_cost, int no_of_nodes)
{
    int tid = blockIdx.x*MAX_THREADS_PER_BLOCK + threadIdx.x;
    if (tid<no_of_nodes && g_graph_mask[tid])
    {
        g_graph_mask[tid]=false;
        for (int i=g_graph_nodes[tid].starting; i<(g_graph_nodes[tid].no_of_edges + g_graph_nodes[tid].starting); i++)
        {
            int id = g_graph_edges[i];
            if (!g_graph_visited[id])
            {
                g_cost[id]=g_cost[tid]+1;
                g_updating_graph_mask[id]=true;
            }
        }
    }
}

__global__ void Kernel2(bool* g_graph_mask, bool *g_updating_graph_mask, bool* g_graph_visited, bool *g_over,
                        int no_of_nodes)
{
    int tid = blockIdx.x*MAX_THREADS_PER_BLOCK + threadIdx.x;
    if (tid<no_of_nodes && g_updating_graph_mask[tid])
    {
        g_graph_mask[tid]=true;
        g_graph_visited[tid]=true;
        *g_over=true;
        g_updating_graph_mask[tid]=false;
    }
}

template <class T> T* upload(const T* host, int n)
{
    T* device;
    cudaMalloc((void**)&device, sizeof(T) * n);
    cudaMemcpy(device, host, sizeof(T) * n, cudaMemcpyHostToDevice);
    return device;
}

int main(int argc, char** argv)
{
    const int nodes = 1000, degree = 3;
    Node graph[nodes];
    int edges[nodes * degree], cost[nodes], expected[nodes];
    bool mask[nodes], none[nodes], visited[nodes];
    memset(mask, 0, sizeof mask), memset(none, 0, sizeof none), memset(visited, 0, sizeof visited);
    for (int i = 0; i < nodes; i++) {
        graph[i].starting = i * degree;
        graph[i].no_of_edges = i % (degree + 1);
        for (int j = 0; j < degree; j++) edges[i * degree + j] = rand() % nodes;
        cost[i] = expected[i] = -1;
    }
    int source = 3;
    mask[source] = visited[source] = true;
    cost[source] = expected[source] = 0;

    std::queue<int> q;
    for (q.push(source); !q.empty(); q.pop())
        for (int e = 0; e < graph[q.front()].no_of_edges; e++) {
            int to = edges[graph[q.front()].starting + e];
            if (expected[to] < 0) { expected[to] = expected[q.front()] + 1; q.push(to); }
        }

    Node* d_nodes = upload(graph, nodes);
    int *d_edges = upload(edges, nodes * degree), *d_cost = upload(cost, nodes);
    bool *d_mask = upload(mask, nodes), *d_updating = upload(none, nodes), *d_visited = upload(visited, nodes), *d_over;
    cudaMalloc((void**)&d_over, sizeof(bool));
    dim3 grid((nodes + MAX_THREADS_PER_BLOCK - 1) / MAX_THREADS_PER_BLOCK, 1, 1);
    dim3 threads(MAX_THREADS_PER_BLOCK, 1, 1);
    int k = 0;
    bool stop;
    do
    {
        stop = false;
        cudaMemcpy(d_over, &stop, sizeof(bool), cudaMemcpyHostToDevice);
        Kernel<<< grid, threads, 0 >>>(d_nodes, d_edges, d_mask, d_updating, d_visited, d_cost, nodes);
        Kernel2<<< grid, threads, 0 >>>(d_mask, d_updating, d_visited, d_over, nodes);
        cudaMemcpy(&stop, d_over, sizeof(bool), cudaMemcpyDeviceToHost);
        k++;
    }
    while (stop);
    cudaMemcpy(cost, d_cost, sizeof cost, cudaMemcpyDeviceToHost);
    printf("Kernel Executed %d times\n", k);
    if (memcmp(cost, expected, sizeof cost) != 0 || k < 3) { printf("FAILED\n"); return 1; }
    printf("PASSED\n");
}
